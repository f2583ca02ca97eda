/** The style of the page; light or dark as the reader's system says. */
export const style = `
:root{color-scheme:light dark;--page:#fff;--line:#d4d7dc;--soft:#f4f5f7;--ink:#1b1f24;--dim:#57606c;--link:#0b57a4;--good:#116329;--bad:#a40e26;--warn:#7d4e00;--goodsoft:#dff3e3;--badsoft:#fde7e9;--warnsoft:#fbf0d9}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--line:#3a414b;--soft:#1f242b;--ink:#e6e8eb;--dim:#9aa4b1;--link:#7ab7ff;--good:#5fd07a;--bad:#ff8a93;--warn:#e3b341;--goodsoft:#12301b;--badsoft:#3d161b;--warnsoft:#362a0d}}
*{box-sizing:border-box}
html{scroll-padding-top:5rem}
body{margin:0 auto;max-width:72rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);overflow-wrap:break-word}
a{color:var(--link)}
h1{margin:0;font-size:1.4rem;overflow-wrap:anywhere}h2{margin:2.2rem 0 .5rem;font-size:1.15rem}h3{margin:1.4rem 0 .3rem;font-size:1rem}h4{margin:1rem 0 .2rem;font-size:.95rem}h5{margin:.6rem 0 .1rem;font-size:.85rem;color:var(--dim)}
p{margin:.5rem 0}
[hidden]{display:none!important}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
.kind,.small{color:var(--dim);font-size:.85rem;font-weight:400}.kind{margin:0;text-transform:uppercase;letter-spacing:.05em}
.banner{margin:.8rem 0;padding:.6rem .9rem;border-left:5px solid var(--dim);border-radius:4px;background:var(--soft);overflow-wrap:anywhere}
.banner p{margin:.2rem 0}.banner strong{font-size:1.15rem;margin-right:.4rem}.banner ul{margin:.2rem 0;padding-left:1.2rem}
.banner.conformant{border-color:var(--good);background:var(--goodsoft)}.banner.nonconformant{border-color:var(--bad);background:var(--badsoft)}.banner.partial,.banner.none{border-color:var(--warn);background:var(--warnsoft)}
.conformant strong,.status.passed,.status.verified{color:var(--good)}
.nonconformant strong,.status.failed,.status.violated{color:var(--bad)}
.partial strong,.none strong,.status.errored{color:var(--warn)}
.status.skipped,.status.unverified,.status.untestable{color:var(--dim)}
span.status{display:inline-block;min-width:5.2rem;font-weight:600}
a.status{overflow-wrap:anywhere;font-size:.85rem}
svg.bar{display:block;width:100%;height:.7rem;margin:.4rem 0;border-radius:3px}
rect.verified{fill:var(--good)}rect.violated{fill:var(--bad)}rect.unverified{fill:var(--line)}
.cell{display:inline-block;width:1.5rem;height:1.5rem;margin:1px;border-radius:3px;text-align:center;line-height:1.5rem;font-size:.85rem;font-style:normal;text-decoration:none;background:var(--soft);color:var(--dim)}
.cell.verified{background:var(--goodsoft);color:var(--good)}.cell.violated{background:var(--bad);color:var(--page);font-weight:700}
.matrix{width:auto}.matrix th,.matrix td{border:0;padding:.1rem .6rem .1rem 0}.matrix td.small{text-align:right}
.legend>span{margin-right:1rem;white-space:nowrap}
.filters{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:center;margin-top:1.5rem;padding:.5rem 0;background:var(--page);border-bottom:1px solid var(--line);z-index:1}
.filters fieldset{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;border:0}
.search input{width:16rem;max-width:100%}
.chip{display:inline-flex;align-items:center;gap:.3rem;padding:.2rem .6rem;border:1px solid var(--line);border-radius:1rem;font-size:.9rem;cursor:pointer;min-height:2rem}
.chip input{margin:0;accent-color:var(--link)}
#shown{font-size:.85rem;color:var(--dim)}
input[type=search],select,button{font:inherit;padding:.25rem .5rem;color:inherit;background:var(--page);border:1px solid var(--dim);border-radius:4px}
button{cursor:pointer}
.case{border-bottom:1px solid var(--line);padding:.45rem 0}
.case>:not(summary){margin-left:1.1rem}
.case code,td code{overflow-wrap:anywhere}
tr:target,.case:target{box-shadow:-4px 0 var(--link)}
summary{cursor:pointer;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
pre{overflow-x:auto;margin:.3rem 0;padding:.6rem;background:var(--soft);border-radius:4px;font-size:.82rem;line-height:1.45;white-space:pre-wrap;overflow-wrap:anywhere}
.copyable{position:relative}.copyable button{position:absolute;top:.4rem;right:.4rem;font-size:.8rem}.copyable pre{padding-right:5rem}
.check{margin:.6rem 0;padding-left:.8rem;border-left:3px solid var(--line)}.check p{margin:0;font-weight:600;overflow-wrap:anywhere}
.check dl{display:grid;grid-template-columns:5rem 1fr;gap:.1rem .5rem;margin:.2rem 0}dt{color:var(--dim)}dd{margin:0;min-width:0;overflow-wrap:anywhere}
.expected code{color:var(--good)}.got code{color:var(--bad)}
.quotes{margin:.5rem 0;padding-left:1.2rem}
.exchanges{margin:0;padding:0;list-style:none}
.exchange{margin:.15rem 0}.exchange>:not(summary){margin-left:1.1rem}
.exchange>summary{display:grid;grid-template-columns:6.5rem minmax(0,1fr) auto 4.5rem 7rem;gap:.6rem;align-items:center;padding:.1rem 0;font-size:.9rem}
.exchange>summary code{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.exchange[open]>summary code{white-space:normal}
.way{color:var(--dim)}.way::before{content:"▸ "}.exchange[open]>summary .way::before{content:"▾ "}
.exchange>summary .small{text-align:right}
svg.wait{display:block;width:100%;height:.6rem;background:var(--soft)}svg.wait rect{fill:var(--link)}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{padding:.35rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
.requirements tbody th{white-space:nowrap}
.slowest th{font-weight:400;overflow-wrap:anywhere}.slowest .number{white-space:nowrap;text-align:right}.slowest .drawn{width:30%;vertical-align:middle}
figure{margin:.8rem 0;overflow-x:auto}
svg.timeline,svg.plot{width:100%;max-width:44rem;height:auto}
svg .axis{stroke:var(--line)}svg text{fill:var(--dim);font-size:11px;text-anchor:middle}svg text.lane{text-anchor:start}
.due{fill:var(--dim)}.due.open{fill:var(--page);stroke:var(--dim);stroke-width:1.5}.made{fill:var(--good)}.made.off{fill:var(--bad)}
line.on{stroke:var(--line);stroke-dasharray:2 2}line.off{stroke:var(--bad);stroke-dasharray:3 2}
svg.plot rect{fill:var(--link)}
.comparison{display:block;overflow-x:auto}.comparison th:first-child{position:sticky;left:0;background:var(--page)}.comparison thead th{overflow-wrap:anywhere;min-width:7rem}
@media (max-width:44rem){
body{padding:.7rem}
.requirements,.requirements tbody,.requirements tr,.requirements td,.requirements tbody th{display:block}.requirements thead{display:none}.requirements td,.requirements tbody th{border:0;padding:.1rem 0}.requirements tr{padding:.5rem 0;border-bottom:1px solid var(--line)}
.filters{position:static}html{scroll-padding-top:1rem}.search{flex:1 1 100%}.search input{width:100%}
.case>:not(summary),.exchange>:not(summary){margin-left:0}
.exchange>summary{grid-template-columns:minmax(0,1fr) auto auto;gap:.1rem .6rem;padding:.4rem 0}.exchange>summary code{grid-column:1/-1;grid-row:2;white-space:normal}.exchange>summary svg.wait{grid-column:1/-1}
.matrix td.small{display:none}.cell{width:1.7rem;height:1.7rem;line-height:1.7rem}
.check dl{grid-template-columns:1fr}
.slowest .drawn{display:none}
svg.timeline,svg.plot{min-width:34rem}
}
@media print{.filters,.copyable button{display:none}}
`
