import type { CaseResult } from '../../result.js'
import { sentenceOf, shortened, subjectOf } from '../reporter.js'
import { exchangeList } from './exchange-list.js'
import { anchorOf, block, copyable, sentence, text } from './text.js'
import { timelines } from './timeline.js'

/** Mismatches of one case, and characters of one value, that the page shows. */
const most = { checks: 50, value: 4_000, counterexample: 20_000 }

export interface CaseBlockOptions {
  readonly isOpen: boolean
  /** Characters that exchanges may still take on this page. */
  readonly room: number
}

/** One case with everything that is known of it. */
export function caseBlock(
  result: CaseResult,
  { isOpen, room }: CaseBlockOptions,
): { readonly html: string; readonly exchangeCharacters: number } {
  const exchanges = exchangeList(result.exchanges ?? [], room)
  const word = result.known_failure ? 'known failure' : result.status
  const html = `<details class="case" id="${anchorOf(result.id)}" data-status="${result.status}"${isOpen ? ' open' : ''}>
<summary><span class="status ${result.status}">${word}</span> <code>${text(result.id)}</code> <span class="small">${result.level}, ${readableMs(result.duration_ms)}</span></summary>
${[...parts(result), exchanges].filter((each) => each !== '').join('\n')}
</details>`
  return { html, exchangeCharacters: exchanges.length }
}

function parts(result: CaseResult): string[] {
  const { title, reason, known_failure_reason, counterexample, measurements, reproduce, exchanges = [] } = result
  const isBad = result.status === 'failed' || result.status === 'errored'
  return [
    `<p>${text(title)}</p>`,
    isBad ? `<ul class="quotes">${subjectOf(result).map(quote).join('')}</ul>` : links(result),
    known_failure_reason === undefined ? '' : `<p>Known failure: ${text(known_failure_reason)}</p>`,
    reason === undefined ? '' : `<p>${text(reason)}</p>`,
    checksTable(result),
    counterexample === undefined
      ? ''
      : `<h4>Smallest counterexample</h4>${block(shortened(shown(counterexample), most.counterexample))}`,
    measurements === undefined ? '' : `<h4>Measured</h4>${block(shown(measurements))}`,
    reproduce === undefined ? '' : `<h4>Again</h4>${copyable(reproduce, 'the command')}`,
    isBad ? timelines(exchanges) : '',
  ]
}

function quote(id: string): string {
  const { text: words, place } = sentenceOf(id)
  return `<li><a href="#${text(id)}"><b>${text(id)}</b></a> ${sentence(words)} <span class="small">${text(place)}</span></li>`
}

function links({ requirements }: CaseResult): string {
  return `<p class="small">${requirements.map((id) => `<a href="#${text(id)}">${text(id)}</a>`).join(', ')}</p>`
}

function checksTable({ checks = [], message, status }: CaseResult): string {
  if (checks.length === 0) return status === 'failed' && message !== undefined ? `<p>${text(message)}</p>` : ''
  const rows = checks.slice(0, most.checks).map(
    (each) => `<div class="check"><p>${text(shortened(each.what, most.value))}</p>
<dl><dt>expected</dt><dd class="expected"><code>${text(shortened(each.expected, most.value))}</code></dd><dt>got</dt><dd class="got"><code>${text(shortened(each.got, most.value))}</code></dd></dl></div>`,
  )
  const more = checks.length - rows.length
  return rows.join('\n') + (more > 0 ? `<p>And ${more} more.</p>` : '')
}

function shown(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

/** A duration as it is read best. */
export function readableMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
