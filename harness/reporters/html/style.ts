/** The style of the page; light or dark as the reader's system says. */
export const style = `
:root{color-scheme:light dark;--line:#d4d7dc;--soft:#f4f5f7;--ink:#1b1f24;--dim:#5a6472;--good:#116329;--bad:#a40e26;--warn:#7d4e00}
@media (prefers-color-scheme:dark){:root{--line:#3a414b;--soft:#1d2127;--ink:#e6e8eb;--dim:#9aa4b1;--good:#5fd07a;--bad:#ff8a93;--warn:#e3b341}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:Canvas}
h1{margin:0;font-size:1.4rem;overflow-wrap:anywhere}h2{margin:2rem 0 .5rem;font-size:1.1rem}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
.kind,.small{color:var(--dim);font-size:.85rem}.kind{margin:0;text-transform:uppercase;letter-spacing:.05em}
.verdict.conformant,.status.passed,.status.verified{color:var(--good)}
.verdict.nonconformant,.status.failed,.status.violated{color:var(--bad)}
.verdict.partial,.verdict.none,.status.errored{color:var(--warn)}
.status.skipped,.status.unverified,.status.untestable{color:var(--dim)}
span.status{display:inline-block;min-width:5.5rem;font-weight:600}
a.status{overflow-wrap:anywhere;font-size:.85rem}
.filters{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;padding:.5rem 0;background:Canvas;border-bottom:1px solid var(--line);z-index:1}
input[type=search],select,button{font:inherit;padding:.25rem .5rem}input[type=search]{width:min(20rem,100%)}
.case{border-bottom:1px solid var(--line);padding:.4rem 0;scroll-margin-top:6rem}[hidden]{display:none!important}
tr{scroll-margin-top:6rem}
summary{cursor:pointer;overflow-wrap:anywhere}
:focus-visible{outline:2px solid Highlight;outline-offset:2px}
pre{overflow-x:auto;margin:.5rem 0;padding:.6rem;background:var(--soft);border-radius:4px;font-size:.85rem;white-space:pre-wrap;overflow-wrap:anywhere}
.copyable{position:relative}.copyable button{position:absolute;top:.4rem;right:.4rem;font-size:.8rem}.copyable pre{padding-right:5rem}
.exchange{margin:.3rem 0 .3rem .8rem}
dl{margin:.5rem 0;padding-left:.8rem;border-left:3px solid var(--line)}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
.quotes{padding-left:1.2rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{padding:.35rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
tbody th{white-space:nowrap}
svg{width:100%;max-width:40rem;height:auto}svg line{stroke:var(--line)}svg circle{fill:var(--bad)}svg text{fill:var(--dim);font-size:10px;text-anchor:middle}
figure{margin:.5rem 0}
@media (max-width:40rem){table,thead,tbody,tr,td,tbody th{display:block}thead{display:none}td,tbody th{border:0;padding:.1rem 0}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}.filters{position:static}}
@media print{.filters,.copyable button{display:none}}
`
