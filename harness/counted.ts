/** A count with its noun: `1 case`, `2 cases`; `many` is the plural where it takes more than an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
