import { escaped, visible } from '../reporter.js'

/** Any text as the content of an element or of a quoted attribute. */
export function text(value: string): string {
  return escaped(visible(value))
}

/** The fragment a case is linked by. */
export function anchorOf(caseId: string): string {
  return text(`case-${caseId}`)
}
