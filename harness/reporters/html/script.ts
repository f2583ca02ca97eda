/** The script of the page: search, filters, opening what a link points to, arrow keys in the matrix, copying. */
export const script = `
const $=selector=>[...document.querySelectorAll(selector)]
const byId=id=>document.getElementById(id)
const search=byId('search'),shown=byId('shown'),status=byId('status'),nothing=byId('nothing')
const toggles=$('.filters input[type=checkbox]')
const cases=$('.case'),rows=$('.filtered tbody tr,.requirements tbody tr'),suites=$('.suite')
const words=new Map()
const wordsOf=node=>{
let known=words.get(node)
if(known===undefined){known=node.textContent.toLowerCase();words.set(node,known)}
return known}
function apply(){
const wanted=new Set(toggles.filter(each=>each.checked).map(each=>each.value)),asked=(search?.value??'').toLowerCase().split(/\\s+/).filter(Boolean)
const matches=node=>asked.every(word=>wordsOf(node).includes(word))
let count=0
for(const node of cases){const isShown=wanted.has(node.dataset.status)&&matches(node);node.hidden=!isShown;if(isShown)count++}
for(const node of suites)node.hidden=!node.querySelector('.case:not([hidden])')
for(const node of rows)node.hidden=!(matches(node)&&(!status||status.value===''||node.dataset.status===status.value))
if(nothing)nothing.hidden=count>0||cases.length===0
if(shown)shown.textContent=cases.length?count+' of '+cases.length+' cases shown':''}
function reveal(){
let id=location.hash.slice(1)
try{id=decodeURIComponent(id)}catch{}
const node=byId(id)
if(!node)return
for(let each=node;each;each=each.parentElement){each.hidden=false;if(each.matches('details'))each.open=true}
node.scrollIntoView()
const summary=node.querySelector(':scope>summary')
if(summary)summary.focus({preventScroll:true})}
for(const each of [search,status,...toggles])each?.addEventListener(each===search?'input':'change',apply)
document.querySelector('.filters')?.addEventListener('submit',event=>event.preventDefault())
document.addEventListener('click',async event=>{
const button=event.target.closest?.('.copyable button')
if(!button)return
const pre=button.previousElementSibling
try{await navigator.clipboard.writeText(pre.textContent);button.textContent='Copied'}
catch{getSelection().selectAllChildren(pre);button.textContent='Selected'}})
const cells=$('.matrix .cell')
cells.forEach((each,index)=>each.tabIndex=index===0?0:-1)
function step(from,by){const to=cells[Math.max(0,Math.min(cells.length-1,from+by))];cells[from].tabIndex=-1;to.tabIndex=0;to.focus()}
addEventListener('hashchange',reveal)
document.addEventListener('keydown',event=>{
const at=cells.indexOf(event.target)
if(at>=0&&(event.key==='ArrowRight'||event.key==='ArrowLeft')){event.preventDefault();step(at,event.key==='ArrowRight'?1:-1);return}
if(event.ctrlKey||event.metaKey||event.altKey||!search)return
if(event.key==='/'&&!event.target.closest('input,select,textarea')){event.preventDefault();search.focus()}
if(event.key==='Escape'&&event.target===search){search.value='';apply()}})
apply()
// Later than the browser's own way to the fragment, which would take the focus away again.
addEventListener('load',()=>{if(location.hash)setTimeout(reveal)})
`
