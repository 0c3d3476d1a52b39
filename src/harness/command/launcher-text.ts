// The lines of shell that start the program of a command agent, and the word with which their own lines begin.

export const marker = 'signalbox-command:';

// POSIX sh. $1 is the result file or empty, the rest is the command. The dot keeps the prompt's last line break. JSON has line
// breaks between its values only, never within them: the typed output is printed in one line. stderr is part of the output:
// programs report there why they failed. A shell command is run by the shell that runs this, $0, which a sandbox guards: then nothing
// that the command starts can change how it ends, or read the number.
export const launcher = `
output=$1
shift
IFS= read -r message || exit 1
IFS= read -r line || exit 1
prompt=$(printf '%b.' "$line")
prompt=\${prompt%.}
mkdir -p "$HOME" && printf '%s' "$prompt" >"$HOME/prompt" || exit 1
nonce=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
printf '${marker}begun %s %s\\n' "$message" "$nonce"
input=$HOME/prompt
for argument; do
  shift
  rest=$argument
  argument=
  while :; do
    case $rest in
      *'{prompt}'*)
        argument=$argument\${rest%%'{prompt}'*}$prompt
        rest=\${rest#*'{prompt}'}
        input=/dev/null ;;
      *) break ;;
    esac
  done
  set -- "$@" "$argument$rest"
done
if [ "$1 $2 \${4-sh}" = 'sh -c sh' ]; then
  text=$3
  shift 3
  if [ $# -gt 0 ]; then shift; fi
  set -- "$0" -c "$text" sh "$@"
fi
typed=\${SIGNALBOX_OUTPUT-}
if [ -z "$output$typed" ]; then exec "$@" <"$input" 2>&1; fi
rm -f "$output" "$typed"
"$@" <"$input" 2>&1 &
child=$!
trap 'kill -TERM "$child" 2>/dev/null' TERM HUP INT
wait "$child"
status=$?
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  status=$?
done
if [ -n "$typed" ] && [ -f "$typed" ]; then
  printf '\\n${marker}output %s ' "$nonce"
  tr -d '\\r\\n' <"$typed"
  printf '\\n'
fi
if [ -n "$output" ] && [ -f "$output" ]; then
  printf '\\n${marker}result %s\\n' "$nonce"
  cat "$output"
  printf '\\n'
fi
exit "$status"
`;
