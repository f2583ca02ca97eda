import { lookup } from 'node:dns/promises'
import { canonicalAddress } from './addresses.js'

/** A name had no address. An ordinary failure: the attempt is made again. */
export class Unresolved extends Error {
  override readonly name = 'Unresolved'
  readonly code: string

  constructor(host: string, code: string) {
    super(`${host} has no address (${code})`)
    this.code = code
  }
}

/** Answers as the control interface sets them: one list a lookup, the last stays. */
export type AnswerLists = readonly (readonly string[])[]

/** Names with answers at most; the one that was set longest ago goes when there are more. */
export const maxNames = 1_000

export interface Resolver {
  /** One lookup. Errors: {@link Unresolved}. */
  resolve(host: string): Promise<readonly string[]>
  /** Replaces the answers for a name. */
  setAnswers(host: string, answers: AnswerLists): void
}

/**
 * Names are answered from the lists that were set; `localhost` and names below it are loopback. Any other name is looked
 * up only when `publicEgress` is true, else it does not exist.
 */
export function createResolver(options: { publicEgress: boolean }): Resolver {
  const answers = new Map<string, { lists: AnswerLists; used: number }>()
  return {
    setAnswers(host, lists) {
      const name = nameOf(host)
      answers.delete(name)
      answers.set(name, { lists, used: 0 })
      const [oldest] = answers.keys()
      if (answers.size > maxNames && oldest !== undefined) answers.delete(oldest)
    },
    async resolve(host) {
      const name = nameOf(host)
      const entry = answers.get(name)
      if (entry) {
        const list = entry.lists[Math.min(entry.used++, entry.lists.length - 1)] ?? []
        if (list.length === 0) throw new Unresolved(name, 'ENODATA')
        return list
      }
      if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
      if (!options.publicEgress) throw new Unresolved(name, 'ENOTFOUND')
      try {
        const found = await lookup(name, { all: true, verbatim: true })
        return found.map(({ address }) => canonicalAddress(address) ?? address)
      } catch (error) {
        throw new Unresolved(name, codeOf(error))
      }
    },
  }
}

/** The code of a system error, else its message. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.message
  return String(error)
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
