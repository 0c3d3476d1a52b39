#!/bin/sh
# The keeper of one launch: sh shim.sh <launch directory> <command> [argument ...]
#
# Runs the command at most once, feeds it from `in`, drains it into `out` and `err`, and writes its exit status to
# `rc`. It holds no pipe to Signalbox, whose death it therefore never notices. It must never decide anything: what
# its traces mean is for launches.ts to say.
#
# Environment: this shell runs outside the sandbox, so it gets a fixed environment from Signalbox and never the
# command's (a chosen LD_PRELOAD or BASH_FUNC_cat%% would run out here). The command's environment comes as shell text on
# descriptor 3, an already unlinked file that the command's own launcher reads inside the sandbox: secrets stand in
# no argument list, on no path, and in no environment but the agent's.
#
# POSIX sh only: dash, busybox, bash as sh, macOS.

main() {
  set -f
  cd "$1" || exit 1
  shift
  mask=$(umask)
  umask 077

  # Of all shims ever started for this launch one gets past here.
  mkdir claim || exit 0
  boot_id
  start_time $$
  printf '%s\n' "$boot" "$$" "$start" >shim.tmp && mv shim.tmp shim || exit 1
  # A supervisor that waited in vain for `shim` takes `go` itself: then this launch is lost and must not begin.
  mkdir go || exit 0

  # Handled and not ignored: a command inherits what is ignored, and we stay to write rc.
  trap : HUP INT TERM

  mkfifo in.fifo out.fifo err.fifo || finish 125
  # Opening a FIFO waits for its other end: these three wait for the command, which opens all three in turn.
  feed >in.fifo 3<&- &
  feeder=$!
  cat <out.fifo >>out 3<&- &
  drain=$!
  cat <err.fifo >>err 3<&- &
  noise=$!

  umask "$mask"
  # A direct child, in the foreground: parent-death signals name this very process, and a background command would
  # inherit SIGINT ignored.
  "$@" <in.fifo >out.fifo 2>err.fifo 4>info
  status=$?
  umask 077

  end "$feeder"
  # All writers are gone by now, except one that fled the process group where there is no namespace: five seconds,
  # then what it still writes is not ours.
  hundredths=0
  while [ "$hundredths" -lt 500 ] && { running "$drain" || running "$noise"; }; do
    if sleep 0.01; then hundredths=$((hundredths + 1)); else sleep 1 && hundredths=$((hundredths + 100)); fi
  done
  end "$drain"
  end "$noise"
  wait
  finish "$status"
}

# Becomes tail. Where inotify instances run out, GNU tail polls once a second unless told otherwise; others know no
# fractions.
feed() {
  if tail -s 0.1 -n 0 /dev/null; then exec tail -s 0.1 -n +1 -f in; fi
  exec tail -n +1 -f in
}

# Writes rc, last of all, when nothing but this shell is left. A full disk may yet be cleared.
finish() {
  rm -f in.fifo out.fifo err.fifo
  tries=0
  until printf '%s\n' "$1" >rc.tmp && { sync out err rc.tmp || :; } && mv rc.tmp rc; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || exit 1
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
