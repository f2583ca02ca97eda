import type { Level, Requirement, SubjectKind } from '../types.js'

interface RequirementMaker {
  /** Like `conditional`, if each case is about one optional thing of the target: the missing ones leave nothing open. */
  apart(source: string, text: string, condition: string): Requirement
  must(source: string, text: string): Requirement
  should(source: string, text: string): Requirement
  /** Binds only targets that have what `condition` names. */
  conditional(source: string, text: string, condition: string): Requirement
  /** A sentence that no case can check from outside; `why` is printed in the coverage table. */
  untestable(source: string, text: string, why: string): Requirement
}

function requirementsOf(subject: SubjectKind): RequirementMaker {
  const make = (level: Level, source: string, text: string): Requirement => ({ level, subject, source, text })
  return {
    apart: (source, text, conditional) => ({ ...make('must', source, text), conditional, needsEveryCase: true }),
    must: (source, text) => make('must', source, text),
    should: (source, text) => make('should', source, text),
    conditional: (source, text, conditional) => ({ ...make('must', source, text), conditional }),
    untestable: (source, text, why) => ({ ...make('must', source, text), untestable: why }),
  }
}

export const service = requirementsOf('service')
export const receiver = requirementsOf('receiver')
export const verifier = requirementsOf('verifier')
export const client = requirementsOf('client')
export const sender = requirementsOf('sender')
