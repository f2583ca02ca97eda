/** The style of the page; light or dark as the reader's system says. */
export const pageStyle = `
:root{color-scheme:light dark;--page:#fff;--line:#d4d7dc;--soft:#f4f5f7;--ink:#1b1f24;--dim:#57606c;--link:#0b57a4;--good:#116329;--bad:#a40e26;--warn:#7d4e00}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--line:#3a414b;--soft:#1f242b;--ink:#e6e8eb;--dim:#9aa4b1;--link:#7ab7ff;--good:#5fd07a;--bad:#ff8a93;--warn:#e3b341}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0 auto;max-width:88rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page)}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
header{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;align-items:baseline;padding-bottom:.6rem;border-bottom:1px solid var(--line)}
h1{margin:0;font-size:1.25rem;overflow-wrap:anywhere}h2{margin:1.2rem 0 .6rem;font-size:1.1rem}h3{margin:1.6rem 0 .3rem;font-size:1rem}h4{margin:.8rem 0 .2rem;font-size:.9rem}
.dim{color:var(--dim);font-weight:400;font-size:.9rem}
a{color:var(--link)}
nav{display:flex;gap:.4rem}nav a{padding:.15rem .7rem;border-radius:4px;text-decoration:none}nav a[aria-current]{background:var(--link);color:var(--page)}
.connection{margin:0 0 0 auto;font-size:.9rem;color:var(--dim)}.connection::before{content:"";display:inline-block;width:.6rem;height:.6rem;margin-right:.4rem;border-radius:50%;background:var(--dim)}
.connection.open{color:var(--good)}.connection.open::before{background:var(--good)}
main:focus{outline:none}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2rem}
@media (max-width:60rem){.columns{grid-template-columns:minmax(0,1fr)}}
.row{display:flex;flex-wrap:wrap;gap:.5rem .8rem;align-items:end;margin:.6rem 0}
label{display:flex;min-width:0;max-width:100%;flex-direction:column;font-size:.82rem;color:var(--dim)}
.row select{max-width:min(100%,15rem)}
.wide{flex:1 1 16rem}
input,select,button{font:inherit;max-width:100%;min-width:0;min-height:2.2rem;padding:.2rem .6rem;color:var(--ink);background:var(--page);border:1px solid var(--dim);border-radius:4px}
.wide input{width:100%}
button{cursor:pointer;color:var(--page);background:var(--link);border-color:var(--link)}
button.quiet{min-height:1.9rem;padding:.05rem .5rem;font-size:.85rem;color:var(--link);background:var(--page)}
button:disabled{opacity:.5;cursor:default}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
#note,.created{margin:.6rem 0;padding:.5rem .8rem;border-left:5px solid var(--bad);background:var(--soft);overflow-wrap:anywhere}.created{border-color:var(--good)}
.webhook{margin:.8rem 0;padding:.7rem .9rem;border:1px solid var(--line);border-radius:6px}
.webhook>header{display:flex;gap:.6rem;padding:0;border:0;align-items:start}.webhook>header div{flex:1;min-width:0;overflow-wrap:anywhere}
.deliveries{margin:.5rem 0 0;padding:0;list-style:none}.deliveries li{display:flex;gap:.6rem;align-items:start;padding:.35rem 0;border-top:1px solid var(--line)}.deliveries li>div{flex:1;min-width:0;overflow-wrap:anywhere}.deliveries code{white-space:pre-wrap}
.scroll{overflow-x:auto;margin-top:.5rem}
table{border-collapse:collapse;width:100%;font-size:.88rem}th,td{padding:.3rem .6rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}th{font-weight:600;color:var(--dim);white-space:nowrap}
td{white-space:nowrap}td.free{white-space:normal;overflow-wrap:anywhere;min-width:9rem}
.succeeded{color:var(--good);font-weight:600}.failed{color:var(--bad);font-weight:600}.pending{color:var(--warn);font-weight:600}
details{border-bottom:1px solid var(--line)}summary{padding:.35rem 0;cursor:pointer;overflow-wrap:anywhere}
summary code,code,pre{font-family:ui-monospace,monospace;font-size:.85rem}
pre{margin:.2rem 0 .7rem;padding:.6rem;background:var(--soft);border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere}
.type{font-weight:600}
.method{display:inline-block;min-width:4.6rem;margin-right:.4rem;font-weight:700}
.empty{color:var(--dim)}
`
