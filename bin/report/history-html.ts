// A history as one page without any other file and without a script.
import { escaped } from '../../harness/safe-text.js'
import type { History, PastRun, TargetHistory } from './history.js'
import { dayOf } from './history-text.js'

const style = `
:root { color-scheme: light dark; --ok: #1a7f37; --bad: #cf222e; --open: #8c959f; --line: #8886 }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
td.number, th.number { text-align: right } td:first-child, th.number { white-space: nowrap } code { font-size: .85em } ul { margin: 0; padding-left: 1.2rem }
svg { width: 100%; height: 10rem; display: block; margin: 1rem 0 } .scroll { overflow-x: auto }
.verified { fill: var(--ok) } .violated { fill: var(--bad) } .unverified { fill: var(--open) }
.legend span::before { content: '■ ' } .legend .verified::before { color: var(--ok) } .legend .violated::before { color: var(--bad) } .legend .unverified::before { color: var(--open) }`

/** Returns the page: for each target a bar for each run, with new failures and fixes. */
export function historyHtml({ targets }: History): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Conformance over time</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Conformance over time</h1>
<p class="legend">Requirements: <span class="verified">verified</span> <span class="violated">violated</span> <span class="unverified">not verified</span></p>
${targets.map(section).join('\n')}
</main>
</body>
</html>
`
}

function section({ kind, name, runs, unsteady }: TargetHistory): string {
  return `<section>
<h2>${escaped(`${kind} ${name}`)}</h2>
${chart(runs)}
<div class="scroll" tabindex="0" role="group" aria-label="${escaped(`Runs of ${name}`)}">
<table>
<thead><tr><th scope="col">Run</th><th scope="col">Verdict</th><th scope="col" class="number">Verified</th><th scope="col" class="number">Violated</th><th scope="col" class="number">Not verified</th><th scope="col">Broke</th><th scope="col">Fixed</th><th scope="col">Report</th></tr></thead>
<tbody>
${runs.toReversed().map(row).join('\n')}
</tbody>
</table>
</div>
${unsteady.length === 0 ? '' : `<h3>Changed back and forth</h3>\n<ul>${unsteady.map(({ id, changes }) => `<li><code>${escaped(id)}</code> ${changes} times</li>`).join('')}</ul>`}
</section>`
}

function row(run: PastRun): string {
  const { requirements: counts, shard, verdict, version, file } = run
  const number = (count: number) => `<td class="number">${count}</td>`
  const about = `${dayOf(run)}${shard === undefined ? '' : `, shard ${shard}`}`
  return `<tr><td>${escaped(about)}</td><td>${verdict}</td>${number(counts.verified)}${number(counts.violated)}${number(counts.unverified)}<td>${listed(run.broke)}</td><td>${listed(run.fixed)}</td><td>${escaped(file)} <small>${escaped(version)}</small></td></tr>`
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? '' : `<ul>${ids.map((id) => `<li><code>${escaped(id)}</code></li>`).join('')}</ul>`
}

/** Width and height of the drawing, in its own units. */
const size = { width: 1000, height: 100 } as const

/** A bar for each run, from left to right, its parts in proportion. */
function chart(runs: readonly PastRun[]): string {
  const step = size.width / Math.max(runs.length, 1)
  const bars = runs.map((run, index) => {
    const { total, verified, violated } = run.requirements
    const heightOf = (count: number) => (total === 0 ? 0 : (count / total) * size.height)
    const parts = [
      ['verified', heightOf(verified)],
      ['violated', heightOf(violated)],
      ['unverified', size.height - heightOf(verified) - heightOf(violated)],
    ] as const
    let top: number = size.height
    const drawn = parts.map(([name, height]) => {
      top -= height
      return `<rect class="${name}" x="${(index * step).toFixed(2)}" y="${top.toFixed(2)}" width="${(step * 0.9).toFixed(2)}" height="${height.toFixed(2)}"/>`
    })
    return `<g><title>${escaped(`${dayOf(run)}: ${run.verdict}, ${verified} of ${total} verified, ${violated} violated`)}</title>${drawn.join('')}</g>`
  })
  const label = `Requirements of ${runs.length} runs, the newest at the right`
  return `<svg viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars.join('')}</svg>`
}
