import type { UnshownOperationName, UnshownRule } from './operations.js'
import type { Transport } from './transport.js'
import type { CallOptions } from './types.js'

type Method = (...args: readonly unknown[]) => Promise<unknown>

/** Methods by group and name: `unshown.messages.send`. */
export type UnshownMethods = Readonly<Record<string, Readonly<Record<string, Method>>>>

/**
 * Creates the methods whose paths the interface does not show, for those in `rules`. Each accepts the parts of its path, its body, and
 * options.
 */
export function createUnshown(
  call: Transport,
  rules: Readonly<Partial<Record<UnshownOperationName, UnshownRule>>>,
): UnshownMethods {
  const groups: Record<string, Record<string, Method>> = {}
  for (const [name, rule] of Object.entries(rules) as [UnshownOperationName, UnshownRule][]) {
    const [group = '', method = ''] = name.split('.')
    const parts = [...rule.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part ?? '')
    groups[group] = {
      ...groups[group],
      [method]: async (...args) => {
        const path = Object.fromEntries(parts.map((part, index) => [part, args[index] as string]))
        const rest = args.slice(parts.length)
        const argument = rule.argument === undefined ? undefined : rest.shift()
        return call({
          operation: name,
          path,
          options: rest[0] as CallOptions | undefined,
          ...(rule.argument === 'query' ? { query: { ...(argument as object) } } : {}),
          ...(rule.argument === 'body' ? { body: argument } : {}),
        })
      },
    }
  }
  return groups
}
