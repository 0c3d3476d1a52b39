// `signalbox completion`: a shell script that calls `signalbox complete` for each word, so it never becomes outdated.

import { exits, type Verb } from '../../client/context.ts';

export const completion: Verb<object> = async ({ terminal }, [shell = '']) => {
  await terminal.print(scripts[shell] ?? '');
  return exits.ok;
};

const bash = `# bash: put this into ~/.bashrc
#   eval "$(signalbox completion bash)"
_signalbox() {
  local IFS=$'\\n' word
  COMPREPLY=()
  for word in $(signalbox complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    COMPREPLY+=("\${word%%$'\\t'*}")
  done
}
complete -o default -F _signalbox signalbox
`;

const zsh = `#compdef signalbox
# zsh: put this into ~/.zshrc, after compinit
#   eval "$(signalbox completion zsh)"
_signalbox() {
  local -a found
  local line
  for line in "\${(@f)$(signalbox complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe signalbox found; else _files; fi
}
compdef _signalbox signalbox
`;

const fish = `# fish: put this into ~/.config/fish/completions/signalbox.fish
#   signalbox completion fish >~/.config/fish/completions/signalbox.fish
function __signalbox_asked
  set -l words (commandline -opc) (commandline -ct)
  set -g __signalbox_found (signalbox complete -- $words[2..-1] 2>/dev/null)
  test -n "$__signalbox_found"
end
# File names only where there is nothing else.
complete -c signalbox -n __signalbox_asked -f -a '(printf "%s\\n" $__signalbox_found)'
`;

const scripts: Readonly<Record<string, string>> = { bash, zsh, fish };
