/** The names nearest to `text`, best first; none where nothing is near. */
export function nearest(text: string, names: readonly string[], most = 3): string[] {
  const wanted = text.toLowerCase()
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 4))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

/** Letters to insert, delete or replace to make one text of the other; a name that holds the text whole is near. */
function distanceOf(text: string, name: string): number {
  if (text.length > 3 && name.includes(text)) return 1
  let row = Array.from({ length: name.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...text].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= name.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (name[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[name.length] ?? 0
}
