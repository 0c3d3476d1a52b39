#!/bin/sh
# The keeper of one launch: sh shim.sh <poll>, in a directory of its own, and later a line on stdin: `lent` if that has
# become the launch directory, else `other`, a blank and the launch directory.
#
# Runs the command of the file `order` at most once, feeds it from `in`, drains it into `out` and `err`, and writes its
# exit status to `rc`. From its order on it holds no pipe to Signalbox, whose death it therefore never notices; before,
# that death is its end. It must never decide anything: what its traces mean is for launches.ts to say.
#
# Environment: this shell runs outside the sandbox, so it gets a fixed environment from Signalbox and never the
# command's (a chosen LD_PRELOAD or BASH_FUNC_cat%% would run out here). The command's environment comes as shell text on
# descriptor 3, an already unlinked file that the command's own launcher reads inside the sandbox: secrets stand in
# no argument list, on no path, and in no environment but the agent's.
#
# From its order to the command it starts no program but the feeder and the drains: each costs a third of bwrap.
#
# POSIX sh only: dash, busybox, bash as sh, macOS.

main() {
  set -f
  poll=$1
  begun=
  boot_id
  start_time $$
  start_helpers
  if ! IFS= read -r line; then leave; fi
  exec </dev/null
  directory=${line#* }
  cd "$directory" || leave
  # Sets $@ to the command, and the mark of this launch in the environment.
  . ./order || leave

  # Of all shims ever started for this launch one gets past here: a file that must not exist yet.
  create claim || leave
  # In one write, and no reader takes half of it for the whole.
  printf '%s\n' "$boot" "$$" "$start" >shim || leave
  # A supervisor that waited in vain for `shim` takes `go` itself: then this launch is lost and must not begin.
  create go || leave

  # Handled and not ignored: a command inherits what is ignored, and we stay to write rc.
  trap : HUP INT TERM
  begun=yes
  if [ "${line%% *}" = other ]; then
    end_helpers
    start_helpers
  fi

  # A direct child, in the foreground: parent-death signals name this very process, and a background command would
  # inherit SIGINT ignored.
  "$@" <&5 >&8 2>&9 4>info 5<&- 8>&- 9>&-
  status=$?

  end "$feeder"
  exec 3<&- 5<&- 8>&- 9>&-
  # All writers are gone by now, except one that fled the process group where there is no namespace: five seconds,
  # then what it still writes is not ours.
  hundredths=0
  while [ "$hundredths" -lt 500 ] && { running "$drain" || running "$noise"; }; do
    if sleep 0.01; then hundredths=$((hundredths + 1)); else sleep 1 && hundredths=$((hundredths + 100)); fi
  done
  end_helpers
  finish "$status"
}

# The feeder and the two drains, on the files of the directory we are in. Leaves 5 as the command's stdin, 8 as its stdout
# and 9 as its stderr; we keep the writing ends, because without a writer the drains would end at once.
start_helpers() {
  pair 5 6
  feed >&6 3<&- 5<&- 6>&- &
  feeder=$!
  exec 6>&-
  pair 7 8
  cat <&7 >>out 3<&- 5<&- 7<&- 8>&- &
  drain=$!
  exec 7<&-
  pair 7 9
  cat <&7 >>err 3<&- 5<&- 7<&- 8>&- 9>&- &
  noise=$!
  exec 7<&-
}

end_helpers() {
  exec 5<&- 8>&- 9>&-
  end "$feeder"
  end "$drain"
  end "$noise"
  wait
}

# Without having begun.
leave() {
  end_helpers
  exit 0
}

# Makes a file that several may race for; succeeds for the one that made it. Opened with O_EXCL by every shell known.
create() {
  set -C
  printf '' >"$1" || { set +C; return 1; }
  set +C
}

# A pipe: $1 reads, $2 writes. An empty here-document is one in dash and busybox, reopened for writing through /proc;
# elsewhere it takes a FIFO, whose name is gone before anybody else could use it.
pair() {
  eval "exec $1<<EOF
EOF"
  if [ -p "/proc/self/fd/$1" ] && [ -w "/proc/self/fd/$1" ]; then
    eval "exec $2>/proc/self/fd/$1"
  else
    mkfifo pair.fifo || { [ -z "$begun" ] || finish 125; exit 1; }
    # Opening one end waits for the other, opening both does not.
    eval "exec $1<>pair.fifo; exec $2>pair.fifo; exec $1<pair.fifo"
    rm -f pair.fifo
  fi
}

# Becomes tail. By its plain name: what comes as stdin or through a link GNU tail polls, instead of being told. Where
# inotify instances run out it polls once a second unless told otherwise; others know no fractions, so $poll may be empty.
feed() {
  exec tail ${poll:+-s "$poll"} -n +1 -f in
}

# Writes rc, last of all, when nothing but this shell is left. A full disk may yet be cleared.
finish() {
  tries=0
  until printf '%s\n' "$1" >rc.tmp && { sync out err rc.tmp || :; } && mv rc.tmp rc; do
    tries=$((tries + 1))
    # Without its claim this is no launch any more: somebody has removed the directory.
    [ "$tries" -lt 600 ] && [ -e claim ] || exit 1
    sleep 1
  done
  exit 0
}

end() {
  if running "$1"; then kill -9 "$1"; fi
}

# Whether $1 is a child of ours that has not ended. Its number alone says nothing: this shell may have reaped it
# already, and a stranger may have it now.
running() {
  if [ -r /proc/self/stat ]; then
    read -r stat <"/proc/$1/stat" || return 1
    set -- ${stat##*) }
  else
    set -- $(ps -o stat= -o ppid= -p "$1")
  fi
  [ "${2:-}" = "$$" ] || return 1
  case $1 in Z*) return 1 ;; esac
}

boot_id() {
  read -r boot </proc/sys/kernel/random/boot_id || boot=$(sysctl -n kern.bootsessionuuid)
}

# The same words as identity.ts finds. A command name may hold ") ", so the fields are counted from the last one.
start_time() {
  if [ -r /proc/self/stat ]; then
    read -r stat <"/proc/$1/stat"
    set -- ${stat##*) }
    start=${20}
  else
    set -- $(ps -o lstart= -p "$1")
    start=$*
  fi
}

# One line, read whole before it runs: an upgrade may replace this file meanwhile.
main "$@"; exit
