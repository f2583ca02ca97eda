import type { CaseResult, ExchangeRecord } from '../../result.js'
import { sentenceOf, subjectOf } from '../reporter.js'
import { curlOf } from './curl.js'
import { anchorOf, text } from './text.js'
import { timeline } from './timeline.js'

/** One case with everything that is known of it; open when it needs attention. */
export function caseBlock(result: CaseResult): string {
  const isOpen = (result.status === 'failed' || result.status === 'errored') && !result.known_failure
  return `<details class="case" id="${anchorOf(result.id)}" data-status="${result.status}"${isOpen ? ' open' : ''}>
<summary><span class="status ${result.status}">${result.known_failure ? 'known failure' : result.status}</span> <code>${text(result.id)}</code> <span class="small">${result.level}, ${result.duration_ms} ms</span></summary>
${parts(result)
  .filter((each) => each !== '')
  .join('\n')}
</details>`
}

function parts(result: CaseResult): string[] {
  const { title, reason, counterexample, measurements, reproduce, exchanges = [], checks = [] } = result
  return [
    `<p>${text(title)}</p>`,
    `<ul class="quotes">${subjectOf(result).map(quote).join('')}</ul>`,
    reason === undefined ? '' : `<p>${text(reason)}</p>`,
    ...checks.map(
      (each) =>
        `<dl><dt>${text(each.what)}</dt><dd>expected <code>${text(each.expected)}</code></dd><dd>got <code>${text(each.got)}</code></dd></dl>`,
    ),
    counterexample === undefined ? '' : `<p>Smallest counterexample</p>${block(shown(counterexample))}`,
    measurements === undefined ? '' : `<p>Measured</p>${block(shown(measurements))}`,
    reproduce === undefined ? '' : `<p>Again</p>${copyable(reproduce)}`,
    timeline(exchanges),
    ...exchanges.map(exchangeBlock),
  ]
}

function quote(id: string): string {
  const { text: sentence, place } = sentenceOf(id)
  return `<li><a href="#${text(id)}"><b>${text(id)}</b></a> ${text(sentence)} <span class="small">${text(place)}</span></li>`
}

function exchangeBlock(exchange: ExchangeRecord): string {
  const { direction, kind, request, response, note, duration_ms } = exchange
  const outcome = response === undefined ? text(note ?? 'no answer') : String(response.status)
  const curl = curlOf(exchange)
  return `<details class="exchange"><summary>${direction} <code>${text(`${request.method} ${request.url}`)}</code> ${outcome} <span class="small">${kind}, ${duration_ms} ms</span></summary>
${block(`${headerLines(request.headers)}${bodyOf(request)}`)}
${response === undefined ? '' : block(`${response.status}\n${headerLines(response.headers)}${bodyOf(response)}`)}
${note === undefined ? '' : `<p>${text(note)}</p>`}
${curl === undefined ? '' : copyable(curl)}
</details>`
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .concat('\n')
    .join('')
}

function bodyOf({ body, body_base64 }: { readonly body?: string; readonly body_base64?: string }): string {
  return body ?? (body_base64 === undefined ? '' : `base64: ${body_base64}`)
}

function shown(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

function block(content: string): string {
  return content.trim() === '' ? '' : `<pre>${text(content)}</pre>`
}

function copyable(content: string): string {
  return `<div class="copyable"><pre tabindex="0">${text(content)}</pre><button type="button">Copy</button></div>`
}
