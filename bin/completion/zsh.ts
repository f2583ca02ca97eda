import { branches, pathPatterns, type Completions } from './words.js'

/** A script to `source` in zsh after compinit, or to put into a folder of `fpath` as `_conformance`. */
export function zshScript(completions: Completions): string {
  const { values, paths } = branches(completions, '    ')
  return `#compdef conformance
# zsh completion of conformance: source it after compinit, or put it into a folder of fpath as _conformance
_conformance() {
  local place='' choices='' word previous="\${words[CURRENT - 1]}"
  local -i index
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    [[ "$word" == -- ]] && { _files; return }
    case "$place:$word" in
    ${pathPatterns(completions)}) place="\${place:+$place }$word" ;;
    esac
  done
  if [[ "\${words[CURRENT]}" == --*=* ]]; then
    previous="\${words[CURRENT]%%=*}"
    compset -P '*='
  fi
  case "$previous" in
${values}
    *)
      case "$place" in
${paths}
      esac
      ;;
  esac
  if [[ -n "$choices" ]]; then compadd -- \${=choices}; else _files; fi
}
if [[ "\${funcstack[1]}" == _conformance ]]; then _conformance "$@"; else compdef _conformance conformance; fi
`
}
