import { openPoints, type OpenPointId } from '../open-points.js'
import type { RequirementId } from '../index.js'
import type { Account, Accounts } from './account.js'
import { endpointSentences } from './endpoints.js'
import { statementsOf, type Statement } from './parse.js'
import { resourceSentences } from './resources.js'
import { ruleSentences } from './rules.js'

/** A sentence or table row of the interface, and what becomes of it. */
export interface Sentence extends Statement {
  readonly requirements: readonly RequirementId[]
  /** What it leaves open. */
  readonly openPoints: readonly OpenPointId[]
  /** Why there is no requirement, if it has neither. */
  readonly reason?: string
}

const accounts: Accounts = { ...resourceSentences, ...endpointSentences, ...ruleSentences }

/** The sentences of the interface, in its order, each with what becomes of it. One that has no account has none of the three. */
export function sentencesOf(markdown: string): readonly Sentence[] {
  return statementsOf(markdown).map((statement) => {
    const account: Account = accounts[statement.source]?.[statement.text] ?? []
    if ('reason' in account) return { ...statement, requirements: [], openPoints: [], reason: account.reason }
    return {
      ...statement,
      requirements: account.filter((id): id is RequirementId => !(id in openPoints)),
      openPoints: account.filter((id): id is OpenPointId => id in openPoints),
    }
  })
}

/** Returns the differences between a text and the accounts of its sentences: one without an account, or an account without its sentence. */
export function unaccounted(markdown: string): readonly string[] {
  const sentences = sentencesOf(markdown)
  const isThere = new Set(sentences.map(({ source, text }) => `${source} ${text}`))
  return [
    ...sentences
      .filter(
        (sentence) => sentence.requirements.length + sentence.openPoints.length === 0 && sentence.reason === undefined,
      )
      .map(({ line, text }) => `line ${line}: nothing accounts for: ${text}`),
    ...Object.entries(accounts)
      .flatMap(([source, texts]) => Object.keys(texts).map((text) => `${source} ${text}`))
      .filter((quote) => !isThere.has(quote))
      .map((quote) => `not in the interface: ${quote}`),
  ]
}
