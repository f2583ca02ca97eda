import type { ExchangeRecord } from '../../result.js'
import { oneLine, shortened } from '../reporter.js'
import { readableMs } from './case-block.js'
import { curlOf } from './curl.js'
import { hexDump } from './hex-dump.js'
import { block, copyable, text } from './text.js'

/** Exchanges of one case, and characters of one body, that the page shows; the JSON report has them all. */
const most = { exchanges: 60, body: 16_000 }
/** Width of the drawing of durations, in its own units. */
const barWidth = 100

/** What went over the wire, oldest first, each with its place in time; at most `room` characters. */
export function exchangeList(exchanges: readonly ExchangeRecord[], room: number): string {
  if (exchanges.length === 0) return ''
  const kept = exchanges.slice(-most.exchanges)
  const startMs = Math.min(...kept.map((each) => Date.parse(each.started_at)))
  const spanMs = Math.max(1, ...kept.map((each) => Date.parse(each.started_at) - startMs + each.duration_ms))
  const items: string[] = []
  let used = 0
  for (const each of kept) {
    const item = exchangeItem(each, { startMs, spanMs })
    used += item.length
    if (used > room) break
    items.push(item)
  }
  const left = exchanges.length - items.length
  return `<h4>Exchanges <span class="small">${exchanges.length}, in ${readableMs(spanMs)}</span></h4>
<ol class="exchanges">
${items.join('\n')}
</ol>${left > 0 ? `<p class="small">${left} more stand in the JSON report.</p>` : ''}`
}

function exchangeItem(exchange: ExchangeRecord, scale: { readonly startMs: number; readonly spanMs: number }): string {
  const { direction, kind, request, response, note, duration_ms } = exchange
  const outcome = response === undefined ? 'no answer' : String(response.status)
  const curl = curlOf(exchange)
  const by = direction === 'sent' ? 'Request sent' : 'Request received'
  const answered = direction === 'sent' ? 'Answer received' : 'Answer given'
  return `<li><details class="exchange"><summary><span class="way">${direction === 'sent' ? '→' : '←'} ${kind}</span> <code>${text(shortened(oneLine(`${request.method} ${pathOf(request.url)}`), 160))}</code> <b>${text(outcome)}</b> <span class="small">${readableMs(duration_ms)}</span>${bar(exchange, scale)}</summary>
<h5>${by}</h5>
${block(`${request.method} ${request.url}\n${headerLines(request.headers)}`)}
${body(request)}
${response === undefined ? '' : `<h5>${answered}</h5>\n${block(`${response.status}\n${headerLines(response.headers)}`)}\n${body(response)}`}
${note === undefined ? '' : `<p>${text(note)}</p>`}
${curl === undefined ? '' : `<h5>As curl</h5>\n${copyable(curl, 'the curl command')}`}
</details></li>`
}

/** When the exchange took place, among the others of its case. */
function bar(
  { started_at, duration_ms }: ExchangeRecord,
  { startMs, spanMs }: { startMs: number; spanMs: number },
): string {
  const x = ((Date.parse(started_at) - startMs) / spanMs) * barWidth
  const width = Math.max(0.6, (duration_ms / spanMs) * barWidth)
  return `<svg class="wait" viewBox="0 0 ${barWidth} 4" preserveAspectRatio="none" aria-hidden="true"><rect x="${Math.min(x, barWidth - 0.6).toFixed(2)}" width="${width.toFixed(2)}" height="4"/></svg>`
}

function pathOf(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

function body({ body: content, body_base64 }: { readonly body?: string; readonly body_base64?: string }): string {
  if (body_base64 !== undefined) {
    const bytes = Buffer.from(body_base64, 'base64')
    return `<p class="small">${bytes.length} bytes, not UTF-8</p>${block(hexDump(bytes))}`
  }
  if (content === undefined || content === '') return ''
  if (content.length > most.body)
    return `${block(shortened(content, most.body))}<p class="small">Cut here: the JSON report has ${content.length} characters of it.</p>`
  // A body that was cut when it was recorded says its size itself.
  const size = /… \(\d+ bytes\)$/.test(content) ? '' : `<p class="small">${Buffer.byteLength(content)} bytes</p>`
  return `${size}${block(content)}`
}
