import { pageKinds } from '../cli/option-values.js'
import { UsageError } from '../cli/usage.js'

/** What `conformance ui <words>` means: the command of that kind, with a page. */
export function runWithPage(words: readonly string[]): readonly string[] {
  const [first] = words
  if (first === undefined || first.startsWith('-')) return ['run', '--ui', ...words]
  const kind = pageKinds.find((candidate) => candidate === first)
  if (kind === undefined) throw new UsageError(`ui ${first}: expected ${pageKinds.join(', ')}, or options of run`)
  return [kind, '--ui', ...words.slice(1)]
}
