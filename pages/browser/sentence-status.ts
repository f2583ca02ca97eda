import type { CaseResult, RequirementResult } from '../../harness/result.js'
import type { AnnotatedSentence, Reader } from '../data.js'

/** The result of a sentence. `other`: it applies to another kind of target. */
export type SentenceStatus = 'violated' | 'verified' | 'unverified' | 'untestable' | 'open' | 'other' | 'narration'

/** Each status as a sign and in words, so that colour is never the only sign. */
export const sentenceStatuses: Readonly<Record<SentenceStatus, { readonly sign: string; readonly word: string }>> = {
  violated: { sign: '✕', word: 'violated' },
  verified: { sign: '✓', word: 'verified' },
  unverified: { sign: '?', word: 'not verified' },
  open: { sign: '○', word: 'left open' },
  untestable: { sign: '–', word: 'not testable' },
  other: { sign: '·', word: 'for another kind of target' },
  narration: { sign: '', word: 'no requirement' },
}

/** The result of a sentence's requirements in one report, with the cases that show it. */
export interface Found {
  readonly requirement: RequirementResult
  readonly cases: readonly CaseResult[]
  /** Why it was not verified: what would enable its cases, each line once. */
  readonly reasons: readonly string[]
}

/** A report with its requirements and cases by id. */
export class Findings {
  readonly #requirements: ReadonlyMap<string, RequirementResult>
  readonly #cases: ReadonlyMap<string, CaseResult>

  constructor({ requirements, cases }: Pick<Reader, 'requirements' | 'cases'>) {
    this.#requirements = new Map(requirements.map((requirement) => [requirement.id as string, requirement]))
    this.#cases = new Map(cases.map((result) => [result.id, result]))
  }

  statusOf(sentence: AnnotatedSentence): SentenceStatus {
    const statuses = sentence.requirements.flatMap(({ id }) => this.#requirements.get(id)?.status ?? [])
    const testable = statuses.filter((status) => status !== 'untestable')
    if (testable.includes('violated')) return 'violated'
    if (testable.includes('unverified')) return 'unverified'
    if (testable.length > 0) return 'verified'
    if (statuses.length > 0) return 'untestable'
    if (sentence.open.length > 0) return 'open'
    return sentence.requirements.length > 0 ? 'other' : 'narration'
  }

  of(sentence: AnnotatedSentence): readonly Found[] {
    return sentence.requirements.flatMap(({ id }): Found[] => {
      const requirement = this.#requirements.get(id)
      if (requirement === undefined) return []
      const cases = requirement.cases.flatMap((id) => this.#cases.get(id) ?? [])
      const isOpen = requirement.status === 'unverified'
      const given = isOpen
        ? cases.filter((result) => result.status !== 'passed').flatMap((result) => result.reason ?? [])
        : []
      const missing = isOpen && cases.length === 0 ? ['None of its cases ran in this run.'] : []
      return [{ requirement, cases, reasons: [...new Set([...given, ...missing])] }]
    })
  }
}
