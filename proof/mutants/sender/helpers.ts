// The names that the mutants of the sender use in the entries of a policy that they replace, next to `policy`, the reference's own.
export { randomUUID } from 'node:crypto'

export function without<Value>(fields: Readonly<Record<string, Value>>, name: string): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
}
