/** The names of the three headers: `webhook-id` and so on, or `svix-id` and so on. */
export type HeaderFamily = 'webhook' | 'svix'

/** Swaps the header names of the two families; other headers stay. */
export function inFamily(headers: Readonly<Record<string, string>>, family: HeaderFamily): Record<string, string> {
  if (family === 'webhook') return { ...headers }
  const swapped = (name: string) =>
    name.replace(/webhook|svix/gi, (word) =>
      word.toLowerCase() === 'svix' ? likeCase(word, 'webhook') : likeCase(word, 'svix'),
    )
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [swapped(name), value]))
}

/** `word` in capitals, or with a capital, where `model` is. */
function likeCase(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase()
  return /^[A-Z]/.test(model) ? word[0]?.toUpperCase() + word.slice(1) : word
}
