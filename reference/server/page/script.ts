/** What the page does. Whatever comes from outside is set as text, never as markup. */
export const pageScript = String.raw`'use strict'
const byId = (id) => document.getElementById(id)
const most = { events: 200, pages: 40, deliveries: 20 }

function element(name, attributes, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === 'text') made.textContent = String(value)
    else if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value !== undefined && value !== false) made.setAttribute(key, String(value))
  }
  made.append(...children.filter((each) => each !== undefined))
  return made
}

// The key comes in the fragment, which no server sees, and leaves the address at once.
const given = new URLSearchParams(location.hash.slice(1)).get('key')
if (given !== null) {
  sessionStorage.setItem('key', given)
  history.replaceState(null, '', location.pathname)
}
let key = sessionStorage.getItem('key') || ''

function note(text) {
  byId('note').textContent = text
  byId('note').hidden = text === ''
}

async function ask(method, path, body) {
  const headers = { authorization: 'Bearer ' + key }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  const text = await response.text()
  let value
  try {
    value = text === '' ? undefined : JSON.parse(text)
  } catch {
    value = undefined
  }
  if (response.ok) return value
  const error = (value && (value.error || value)) || {}
  const failure = new Error(response.status + ' ' + (error.code || '') + ': ' + (error.message || '') + ' ' + (error.fix || ''))
  failure.status = response.status
  throw failure
}

/** Runs what a button does; what goes wrong stands above the page. */
function acting(action) {
  return async (event) => {
    event.preventDefault()
    note('')
    try {
      await action()
    } catch (error) {
      note(error.message)
    }
  }
}

// Events: what there is, then the stream from the last one on.
let cursor = ''
let socket
let waitMs = 1000
const seen = new Set()

function showEvent(event) {
  if (seen.has(event.id)) return
  seen.add(event.id)
  cursor = event.id
  const time = element('span', { class: 'dim', text: clock(event.timestamp || event.created_at) })
  const line = element('summary', {}, time, ' ', element('span', { class: 'type', text: event.type }), ' ', element('code', { class: 'dim', text: event.id }))
  const item = element('details', { 'data-type': event.type }, line, element('pre', { text: JSON.stringify(event, null, 2) }))
  byId('events').prepend(item)
  while (byId('events').childElementCount > most.events) byId('events').lastElementChild.remove()
}

function clock(text) {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? String(text) : at.toLocaleTimeString([], { hour12: false })
}

function filterEvents() {
  const type = byId('shown-type').value
  let shown = 0
  for (const item of byId('events').children) {
    item.hidden = type !== '' && item.dataset.type !== type
    if (!item.hidden) shown++
  }
  byId('count').textContent = shown === 0 ? 'No event yet' : shown + (shown === 1 ? ' event' : ' events')
}

async function readBacklog() {
  for (let page = 0; page < most.pages; page++) {
    const { data } = await ask('GET', '/v1/events?limit=100&after=' + encodeURIComponent(cursor))
    data.forEach(showEvent)
    if (data.length < 100) break
  }
  filterEvents()
}

function connection(text, isOpen) {
  byId('connection').textContent = text
  byId('connection').classList.toggle('open', isOpen)
}

function listen() {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const after = cursor === '' ? '' : '&after=' + encodeURIComponent(cursor)
  socket = new WebSocket(scheme + '//' + location.host + '/v1/events/ws?token=' + encodeURIComponent(key) + after)
  socket.onopen = async () => {
    waitMs = 1000
    connection('Live', true)
    // What was raised between the last page and the first frame.
    if (cursor === '') await readBacklog().catch(() => {})
  }
  socket.onmessage = ({ data }) => {
    showEvent(JSON.parse(data))
    filterEvents()
    void refresh()
  }
  socket.onclose = () => {
    connection('Not connected, trying again', false)
    setTimeout(listen, waitMs)
    waitMs = Math.min(waitMs * 2, 10000)
  }
}

// Webhooks and their deliveries.
let drawn = ''
let isRefreshing = false

async function refresh() {
  if (key === '' || isRefreshing || document.hidden) return
  isRefreshing = true
  try {
    const webhooks = (await ask('GET', '/v1/webhooks')).data
    const lists = await Promise.all(
      webhooks.map((each) => ask('GET', '/v1/webhooks/' + encodeURIComponent(each.id) + '/deliveries?limit=' + most.deliveries)),
    )
    const state = JSON.stringify([webhooks, lists])
    if (state === drawn) return
    drawn = state
    const focused = document.activeElement ? document.activeElement.id : ''
    byId('webhooks').replaceChildren(
      ...(webhooks.length === 0
        ? [element('p', { class: 'empty', text: 'No webhook yet. A loopback address is taken only where serve was told so: --allow 127.0.0.1:8443.' })]
        : webhooks.map((each, index) => webhookCard(each, lists[index].data))),
    )
    if (focused !== '' && byId(focused)) byId(focused).focus()
  } catch {
    // The stream says whether the server is there.
  } finally {
    isRefreshing = false
  }
}

function webhookCard(webhook, deliveries) {
  const path = '/v1/webhooks/' + encodeURIComponent(webhook.id)
  const types = webhook.event_types.length === 0 || webhook.event_types.includes('*') ? 'every event' : webhook.event_types.join(', ')
  const about = element(
    'div',
    {},
    element('code', { text: webhook.url }),
    element('div', { class: 'dim', text: types + ' · ' + (webhook.inbox_id || 'every inbox') + ' · ' + webhook.id }),
  )
  const remove = element('button', {
    class: 'quiet',
    id: 'delete-' + webhook.id,
    text: 'Delete',
    'aria-label': 'Delete webhook ' + webhook.id,
    onclick: acting(async () => {
      await ask('DELETE', path)
      await refresh()
    }),
  })
  return element(
    'article',
    { class: 'webhook' },
    element('header', {}, about, remove),
    deliveries.length === 0
      ? element('p', { class: 'empty', text: 'No delivery yet' })
      : deliveryList(path, deliveries),
  )
}

function deliveryList(path, deliveries) {
  return element('ol', { class: 'deliveries' }, ...deliveries.map((each) => {
    const answer = [each.response_code, each.error, each.response_body_snippet].filter((part) => part !== undefined && part !== null && part !== '')
    const facts = [
      'attempt ' + each.attempt,
      each.replay_of ? 'replay of ' + each.replay_of : '',
      each.next_attempt_at ? 'next at ' + clock(each.next_attempt_at) : '',
      each.event_id || '',
    ].filter((part) => part !== '')
    const replay = element('button', {
      class: 'quiet',
      id: 'replay-' + each.id,
      text: 'Replay',
      'aria-label': 'Replay delivery ' + each.id,
      onclick: acting(async () => {
        await ask('POST', path + '/deliveries/' + encodeURIComponent(each.id) + '/replay')
        await refresh()
      }),
    })
    const said = element(
      'div',
      {},
      element('span', { class: each.status, text: each.status }),
      ' ',
      element('code', { text: answer.join(' ') }),
      element('div', { class: 'dim', text: facts.join(' · ') }),
    )
    return element('li', {}, said, replay)
  }))
}

// The API, from its OpenAPI document.
let spec

async function showApi() {
  if (spec !== undefined) return
  spec = await (await fetch('/_page/openapi.json')).json()
  const parts = [element('p', { class: 'dim', text: spec.info.summary || spec.info.title })]
  for (const [title, paths] of [['Requests', spec.paths || {}], ['Sent by the service', spec.webhooks || {}]]) {
    parts.push(element('h2', { text: title }))
    for (const [path, methods] of Object.entries(paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.responses !== undefined) parts.push(operationBlock(method, path, operation, methods.parameters || []))
  }
  byId('api').replaceChildren(...parts)
}

function resolve(node) {
  let found = node
  for (let step = 0; step < 8 && found && found.$ref; step++)
    found = found.$ref.slice(2).split('/').reduce((at, name) => at && at[name.replaceAll('~1', '/').replaceAll('~0', '~')], spec)
  return found || {}
}

function operationBlock(method, path, operation, shared) {
  const parameters = [...shared, ...(operation.parameters || [])].map(resolve)
  const line = element(
    'summary',
    {},
    element('span', { class: 'method', text: method.toUpperCase() }),
    element('code', { text: path }),
    ' ',
    element('span', { class: 'dim', text: operation.summary || '' }),
  )
  const parts = [line]
  if (operation.description) parts.push(element('p', { text: operation.description }))
  if (parameters.length > 0)
    parts.push(element('h4', { text: 'Parameters' }), table(['Name', 'In', 'Type', ''], parameters.map((each) => [each.name + (each.required ? ' *' : ''), each.in, typeOf(each.schema), each.description || ''])))
  const body = resolve(operation.requestBody)
  if (body.content) parts.push(element('h4', { text: 'Body' }), schemaOf(body))
  for (const [status, answer] of Object.entries(operation.responses)) {
    const resolved = resolve(answer)
    parts.push(element('p', {}, element('strong', { text: status }), ' ', element('span', { class: 'dim', text: resolved.description || '' })))
    if (resolved.content) parts.push(schemaOf(resolved))
  }
  return element('details', {}, ...parts)
}

function schemaOf(holder) {
  const media = Object.values(holder.content)[0] || {}
  const rows = []
  collect(resolve(media.schema), '', 0, rows)
  return rows.length === 0 ? element('p', { class: 'dim', text: typeOf(media.schema) }) : table(['Field', 'Type', ''], rows)
}

function collect(schema, prefix, depth, rows) {
  for (const part of [...(schema.allOf || []), ...(schema.oneOf || []), ...(schema.anyOf || [])]) collect(resolve(part), prefix, depth + 1, rows)
  if (schema.items && depth < 5) collect(resolve(schema.items), prefix + '[]', depth + 1, rows)
  for (const [name, property] of Object.entries(schema.properties || {})) {
    const inner = resolve(property)
    const path = prefix === '' ? name : prefix + '.' + name
    if (!rows.some((row) => row[0].replace(' *', '') === path))
      rows.push([path + ((schema.required || []).includes(name) ? ' *' : ''), typeOf(property), inner.description || ''])
    if (depth < 5) collect({ ...inner, description: '' }, path, depth + 1, rows)
  }
}

function typeOf(schema) {
  const inner = resolve(schema)
  const type = Array.isArray(inner.type) ? inner.type.join(' or ') : inner.type
  if (inner.enum) return inner.enum.join(' | ')
  if (inner.const !== undefined) return JSON.stringify(inner.const)
  return [type || '', inner.format ? '(' + inner.format + ')' : ''].join(' ').trim()
}

function table(head, rows) {
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': head.join(', ') },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col', text })))),
      element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells.map((text, at) => element('td', { class: at === cells.length - 1 ? 'free' : '', text }))))),
    ),
  )
}

// Views.
function show() {
  const isApi = location.hash === '#api'
  byId('live').hidden = isApi
  byId('api').hidden = !isApi
  byId('to-live').toggleAttribute('aria-current', !isApi)
  byId('to-api').toggleAttribute('aria-current', isApi)
  if (isApi) showApi().catch((error) => note(error.message))
}

async function start() {
  byId('key-form').hidden = key !== ''
  if (key === '') return note('The page needs the API key: open the address that serve printed, or paste the key.')
  let facts
  try {
    facts = await ask('GET', '/_page/facts')
  } catch (error) {
    if (error.status === 401) {
      sessionStorage.removeItem('key')
      byId('key-form').hidden = false
    }
    return note(error.message)
  }
  note('')
  for (const type of facts.event_types)
    for (const id of ['create-type', 'send-type', 'shown-type']) byId(id).append(element('option', { value: type, text: type }))
  for (const inbox of facts.inboxes)
    for (const id of ['create-inbox', 'send-inbox']) byId(id).append(element('option', { value: inbox.id, text: inbox.address }))
  await readBacklog()
  listen()
  await refresh()
  setInterval(refresh, 2000)
  document.addEventListener('visibilitychange', refresh)
}

byId('place').textContent = location.host
byId('create').addEventListener(
  'submit',
  acting(async () => {
    const type = byId('create-type').value
    const made = await ask('POST', '/v1/webhooks', {
      url: byId('url').value,
      ...(type === '' ? {} : { event_types: [type] }),
      inbox_id: byId('create-inbox').value || null,
    })
    byId('created').replaceChildren('Secret, shown once: ', element('code', { text: made.secret }))
    byId('created').hidden = false
    await refresh()
  }),
)
byId('send').addEventListener(
  'submit',
  acting(async () => {
    const options = [...byId('send-type').options].map((each) => each.value).filter((each) => each !== '')
    const type = byId('send-type').value
    await ask('POST', '/_page/events', { types: type === '' ? options : [type], inbox_id: byId('send-inbox').value })
  }),
)
byId('key-form').addEventListener(
  'submit',
  acting(async () => {
    key = byId('key').value
    sessionStorage.setItem('key', key)
    await start()
  }),
)
byId('shown-type').addEventListener('change', filterEvents)
addEventListener('hashchange', show)
show()
start().catch((error) => note(error.message))
`
