import type { Mistakes } from '../../harness/reporters/index.js'

/** What the wrong programs of the selftest get wrong. Loaded when a page shows it, and by no other run. */
export async function loadMistakes(): Promise<Mistakes> {
  const { mutants } = await import('../../reference/mutants/index.js')
  const mistakes = new Map<string, string[]>()
  for (const { title, breaks } of mutants)
    for (const id of breaks) mistakes.set(id, [...(mistakes.get(id) ?? []), title])
  return mistakes
}
