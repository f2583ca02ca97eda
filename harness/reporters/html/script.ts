/** The script of the page: search, filters, opening what a link points to, copying. */
export const script = `
const $=selector=>[...document.querySelectorAll(selector)]
const search=document.getElementById('search'),shown=document.getElementById('shown'),status=document.getElementById('status')
const toggles=$('.filters input[type=checkbox]')
const indexed=nodes=>nodes.map(node=>({node,words:node.textContent.toLowerCase()}))
const cases=indexed($('.case')),rows=indexed($('tbody tr'))
function apply(){
const wanted=new Set(toggles.filter(each=>each.checked).map(each=>each.value)),words=search.value.toLowerCase().split(/\\s+/).filter(Boolean)
const matches=each=>words.every(word=>each.words.includes(word))
let count=0
for(const each of cases){const isShown=wanted.has(each.node.dataset.status)&&matches(each);each.node.hidden=!isShown;if(isShown)count++}
for(const each of rows)each.node.hidden=!(matches(each)&&(!status||status.value===''||each.node.dataset.status===status.value))
shown.textContent=count+' of '+cases.length+' cases shown'}
function reveal(){
const node=document.getElementById(decodeURIComponent(location.hash.slice(1)))
if(!node)return
node.hidden=false
if(node.matches('details'))node.open=true
node.scrollIntoView()}
for(const each of [search,status,...toggles])each?.addEventListener(each===search?'input':'change',apply)
for(const button of $('.copyable button'))button.addEventListener('click',async()=>{
const pre=button.previousElementSibling
try{await navigator.clipboard.writeText(pre.textContent);button.textContent='Copied'}
catch{getSelection().selectAllChildren(pre);button.textContent='Selected'}})
addEventListener('hashchange',reveal)
document.addEventListener('keydown',event=>{if(event.key==='/'&&event.target===document.body){event.preventDefault();search.focus()}})
apply()
if(location.hash)reveal()
`
