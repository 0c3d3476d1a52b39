// What an exit code means and how things are named, for the end of the help.

export const exitHelp = `
Exit codes:
  0    ok
  1    failed: a run of which nothing succeeded or that was stopped, an order that was refused, a damaged journal
  2    usage: what was asked makes no sense, or not here: no repository, or an agent that is missing, too old or not
       logged in
  3    a person has to decide
  4    a budget or quota is used up
  5    trouble with the daemon or its home
  6    partial: some tasks of a run succeeded, some did not
  70   a bug of Signalbox; agents go on
  130  left with Ctrl-C; the run goes on

A run or task is named by its id, a unique beginning of it, a run's name, or a task's name, in the newest run first.`;
