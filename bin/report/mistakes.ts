import type { Mistake, Mistakes } from '../../harness/reporters/index.js'

/** What the wrong programs of the selftest get wrong. Loaded when a page shows it, and by no other run. */
export async function loadMistakes(): Promise<Mistakes> {
  const { mutants } = await import('../../proof/mutants/index.js')
  const mistakes = new Map<string, Mistake[]>()
  for (const { id, title, breaks } of mutants)
    for (const broken of breaks) mistakes.set(broken, [...(mistakes.get(broken) ?? []), { id, title }])
  return mistakes
}
