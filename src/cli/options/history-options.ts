// The options of `run` and `land` about the history that a landing makes.

import { Option } from 'commander';
import { coAuthorStyles, commitStyles } from '../../wire/landing-views.ts';

export function commitsOption(): Option {
  return new Option(
    '--commits <style>',
    "one commit per task (default), the same with a merge, or the agents' own",
  ).choices(commitStyles);
}

export function coAuthorOption(): Option {
  return new Option('--co-author <style>', 'how a commit names the agent (default: co-authored-by)').choices(
    coAuthorStyles,
  );
}
