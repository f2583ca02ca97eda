import { requirements } from '../../spec/index.js'
import type { CaseResult, ExchangeRecord, Report } from '../result.js'
import { escaped, visible, type CreateReporter } from './reporter.js'

/** One page without any other file: it reads no network and runs only its own script. */
export const html: CreateReporter = ({ write }) => ({
  onRunEnd: (report) => write(page(report)),
})

function page(report: Report): string {
  const { cases, requirements: counted } = report.summary
  const figures: readonly (readonly [string, number, string])[] = [
    ['passed', cases.passed, 'passed'],
    ['failed', cases.failed, 'failed'],
    ['errored', cases.errored, 'errored'],
    ['skipped', cases.skipped, 'skipped'],
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${text(`${report.verdict}: ${report.subject.name}`)}</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="kind">${text(report.subject.kind)}</p>
<h1>${text(report.subject.name)}</h1>
<p><strong class="verdict ${report.verdict}">${report.verdict}</strong> ${counted.verified} requirements verified, ${counted.violated} violated, ${counted.unverified} not verified</p>
<p class="small">${text(report.started_at)}, ${(report.duration_ms / 1000).toFixed(1)} s, seed ${report.seed}, ${text(report.tool.name)} ${text(report.tool.version)}</p>
${report.note === undefined ? '' : `<p>${text(report.note)}</p>`}
</header>
<main>
<section class="filters" aria-label="Filters">
<label>Search <input id="search" type="search" placeholder="id, requirement, words" autocomplete="off"></label>
${figures.map(([status, count, label]) => `<label class="toggle"><input type="checkbox" value="${status}"${status === 'passed' && cases.failed + cases.errored > 0 ? '' : ' checked'}> ${count} ${label}</label>`).join('\n')}
<span id="shown" role="status"></span>
</section>
<section aria-label="Cases">
<h2>Cases</h2>
${report.cases.map(caseOf).join('\n')}
</section>
<section aria-label="Requirements">
<h2>Requirements</h2>
<table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Status</th><th scope="col">Text</th><th scope="col">Cases</th></tr></thead>
<tbody>
${report.requirements.map((each) => `<tr><th scope="row">${each.id}</th><td><span class="status ${each.status}">${each.status}</span></td><td>${text(each.text)} <span class="small">interface.md${text(each.source)}</span></td><td>${each.cases.length}</td></tr>`).join('\n')}
</tbody>
</table>
</section>
</main>
<script>${script}</script>
</body>
</html>
`
}

function caseOf(result: CaseResult): string {
  const isOpen = result.status === 'failed' || result.status === 'errored'
  return `<details class="case" data-status="${result.status}"${isOpen ? ' open' : ''}>
<summary><span class="status ${result.status}">${result.known_failure ? 'known failure' : result.status}</span> <code>${text(result.id)}</code> <span class="small">${result.level}, ${result.duration_ms} ms</span></summary>
<p>${text(result.title)}</p>
<ul class="quotes">${(result.violates ?? result.requirements).map((id) => `<li><b>${id}</b> ${text(requirements[id].text)} <span class="small">interface.md${text(requirements[id].source)}</span></li>`).join('')}</ul>
${result.reason === undefined ? '' : `<p>${text(result.reason)}</p>`}
${(result.checks ?? []).map((each) => `<dl><dt>${text(each.what)}</dt><dd>expected <code>${text(each.expected)}</code></dd><dd>got <code>${text(each.got)}</code></dd></dl>`).join('\n')}
${result.counterexample === undefined ? '' : `<p>Smallest counterexample</p><pre>${text(JSON.stringify(result.counterexample, null, 2))}</pre>`}
${result.measurements === undefined ? '' : `<p>Measured</p><pre>${text(JSON.stringify(result.measurements, null, 2))}</pre>`}
${result.reproduce === undefined ? '' : `<p>Again</p><pre>${text(result.reproduce)}</pre>`}
${timeline(result.exchanges ?? [])}
${(result.exchanges ?? []).map(exchangeOf).join('\n')}
</details>`
}

/** Deliveries of a failed case on a line of time, where there are several. */
function timeline(exchanges: readonly ExchangeRecord[]): string {
  const times = exchanges
    .filter((each) => each.kind === 'delivery')
    .map((each) => Number(each.request.headers['webhook-timestamp'] ?? Number.NaN))
  const [first] = times
  const last = times.at(-1)
  if (times.length < 2 || first === undefined || last === undefined || Number.isNaN(first + last) || last <= first)
    return ''
  const x = (seconds: number) => 20 + (560 * Math.log1p(seconds - first)) / Math.log1p(last - first)
  const marks = times.map(
    (time, index) =>
      `<g><circle cx="${x(time).toFixed(1)}" cy="20" r="5"/><text x="${x(time).toFixed(1)}" y="42">${index === 0 ? '0' : `+${time - (times[index - 1] ?? time)} s`}</text></g>`,
  )
  return `<figure><svg viewBox="0 0 620 52" role="img" aria-label="Attempts over time"><line x1="10" y1="20" x2="610" y2="20"/>${marks.join('')}</svg><figcaption class="small">Attempts as they were signed; the scale is logarithmic</figcaption></figure>`
}

function exchangeOf(exchange: ExchangeRecord): string {
  const { request, response } = exchange
  return `<details class="exchange"><summary>${exchange.direction} <code>${text(request.method)} ${text(request.url)}</code> ${response === undefined ? text(exchange.note ?? '') : String(response.status)}</summary>
<pre>${text(headerLines(request.headers))}${text(request.body ?? request.body_base64 ?? '')}</pre>
${response === undefined ? '' : `<pre>${response.status}\n${text(headerLines(response.headers))}${text(response.body ?? response.body_base64 ?? '')}</pre>`}
${exchange.direction === 'sent' && exchange.kind === 'api' ? `<pre class="curl">${text(curl(request))}</pre>` : ''}
</details>`
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`
}

function curl({ method, url, headers, body }: ExchangeRecord['request']): string {
  const quote = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`
  const parts = [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ]
  return [...parts, ...(body === undefined ? [] : [`--data-binary ${quote(body)}`])].join(' \\\n  ')
}

function text(value: string): string {
  return escaped(visible(value))
}

const style = `
:root{color-scheme:light dark;--line:#d4d7dc;--soft:#f4f5f7;--ink:#1b1f24;--dim:#5a6472;--good:#116329;--bad:#a40e26;--warn:#7d4e00}
@media (prefers-color-scheme:dark){:root{--line:#3a414b;--soft:#1d2127;--ink:#e6e8eb;--dim:#9aa4b1;--good:#5fd07a;--bad:#ff8a93;--warn:#e3b341}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:Canvas}
h1{margin:0;font-size:1.4rem;overflow-wrap:anywhere}h2{margin:2rem 0 .5rem;font-size:1.1rem}
.kind,.small{color:var(--dim);font-size:.85rem}.kind{margin:0;text-transform:uppercase;letter-spacing:.05em}
.verdict.conformant,.status.passed,.status.verified{color:var(--good)}
.verdict.nonconformant,.status.failed,.status.violated{color:var(--bad)}
.verdict.partial,.verdict.none,.status.errored{color:var(--warn)}
.status.skipped,.status.unverified,.status.untestable{color:var(--dim)}
.status{display:inline-block;min-width:5.5rem;font-weight:600}
.filters{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.5rem 0;background:Canvas;border-bottom:1px solid var(--line)}
input[type=search]{font:inherit;padding:.25rem .5rem;width:min(20rem,100%)}
.case{border-bottom:1px solid var(--line);padding:.4rem 0}.case[hidden]{display:none}
summary{cursor:pointer;overflow-wrap:anywhere}
:focus-visible{outline:2px solid Highlight;outline-offset:2px}
pre{overflow-x:auto;padding:.6rem;background:var(--soft);border-radius:4px;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
dl{margin:.5rem 0;padding-left:.8rem;border-left:3px solid var(--line)}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
.quotes{padding-left:1.2rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{padding:.35rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody th{white-space:nowrap}
svg{width:100%;max-width:40rem;height:auto}svg line{stroke:var(--line)}svg circle{fill:var(--bad)}svg text{fill:var(--dim);font-size:10px;text-anchor:middle}
figure{margin:.5rem 0}
@media (max-width:40rem){table,thead,tbody,tr,td,tbody th{display:block}thead{display:none}td,tbody th{border:0;padding:.1rem 0}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}}
`

const script = `
const search=document.getElementById('search'),shown=document.getElementById('shown')
const toggles=[...document.querySelectorAll('.filters input[type=checkbox]')]
const cases=[...document.querySelectorAll('.case')].map(node=>({node,words:node.textContent.toLowerCase()}))
function apply(){const wanted=new Set(toggles.filter(each=>each.checked).map(each=>each.value)),words=search.value.toLowerCase().split(/\\s+/).filter(Boolean)
let count=0
for(const each of cases){const isShown=wanted.has(each.node.dataset.status)&&words.every(word=>each.words.includes(word));each.node.hidden=!isShown;if(isShown)count++}
shown.textContent=count+' of '+cases.length+' shown'}
search.addEventListener('input',apply);for(const each of toggles)each.addEventListener('change',apply);apply()
`
