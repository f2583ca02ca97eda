import type { CaseResult, Report } from '../result.js'

/** What is known when a run starts. */
export interface RunStart {
  readonly subject: { readonly kind: string; readonly name: string }
  readonly cases: number
  readonly seed: number
}

/** What a reporter writes to; `isTerminal` allows colour and a live line. */
export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly colour: boolean
}

/** Turns plain data into text. It touches neither disk nor process. Every hook is optional. */
export interface Reporter {
  readonly onRunStart?: (run: RunStart) => void
  readonly onCaseEnd?: (result: CaseResult) => void
  readonly onRunEnd?: (report: Report) => void
}

export type CreateReporter = (
  output: Output,
  options: { readonly verbosity: 'quiet' | 'normal' | 'verbose' },
) => Reporter

/** Text of a target made harmless: control characters and escape sequences become visible. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** One line: {@link visible}, with line breaks shown. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', ' ')
}

/** Characters that XML and HTML would read, as entities; control characters XML cannot hold are dropped. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
