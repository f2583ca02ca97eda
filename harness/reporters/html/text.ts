import { escaped, visible } from '../reporter.js'

/** Any text as the content of an element or of a quoted attribute. */
export function text(value: string): string {
  return escaped(visible(value))
}

/** The fragment a case is linked by. */
export function anchorOf(caseId: string): string {
  return text(`case-${caseId}`)
}

/** Preformatted text; empty where there is none. */
export function block(content: string): string {
  return content.trim() === '' ? '' : `<pre>${text(content)}</pre>`
}

/** Preformatted text with a button that copies it; `what` says what is copied. */
export function copyable(content: string, what: string): string {
  return `<div class="copyable"><pre>${text(content)}</pre><button type="button" aria-label="Copy ${text(what)}">Copy</button></div>`
}

/** A sentence whose parts between backticks are code. */
export function sentence(value: string): string {
  return text(value).replace(/`([^`]+)`/g, '<code>$1</code>')
}
