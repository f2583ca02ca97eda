import { branches, pathPatterns, type Completions } from './words.js'

/** A script to `source` in bash 3.2 or later. */
export function bashScript(completions: Completions): string {
  const { values, paths } = branches(completions, '    ')
  return `# bash completion of conformance: source it, or put it into a folder of bash-completion
_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local path='' choices='' assigned='' index word
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in --) return ;; esac
    case "$path:$word" in
    ${pathPatterns(completions)}) path="\${path:+$path }$word" ;;
    esac
  done
  if [ "$current" = '=' ]; then
    current='' assigned=1
  elif [ "$previous" = '=' ]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}" assigned=1
  fi
  case "$previous" in
${values}
    *)
      [ -n "$assigned" ] || case "$path" in
${paths}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _conformance conformance
`
}
