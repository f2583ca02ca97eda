import type { Hono } from 'hono'
import { ApiError, invalidRequest, notFound } from './api-error.js'
import type { Key } from '../store/directory.js'
import { asObject } from './email-input.js'
import { readJson, reply, resource, type ApiContext, type ApiEnv } from './http.js'
import type { Services } from '../services.js'

/** `/keys`, `/inboxes` and `/domains`: their wire form is not shown by the interface; this is the smallest useful one. */
export function accountRoutes(app: Hono<ApiEnv>, services: Services): void {
  const { policy, directory } = services
  const prefix = policy.pathPrefix

  resource(app, `${prefix}/keys`, { POST: createKey })
  resource(app, `${prefix}/inboxes`, { GET: listInboxes, POST: createInbox })
  resource(app, `${prefix}/domains`, { GET: listDomains, POST: createDomain })

  async function createKey(c: ApiContext): Promise<Response> {
    const key = wholeOrg(c)
    const fields = asObject(await readJson(c, policy))
    const name = text(fields, 'name')
    const permissions = fields['permissions'] === undefined ? 'full' : text(fields, 'permissions')
    if (permissions !== 'full' && permissions !== 'sending') {
      throw invalidRequest('permissions has an unknown value.', 'Send full or sending.')
    }
    const domain = fields['domain_id'] == null ? undefined : text(fields, 'domain_id')
    const found = directory.domainsOf(key.orgId).find(({ id, name: known }) => id === domain || known === domain)
    if (domain !== undefined && found === undefined) throw notFound('domain', policy.foreignIdStatus)
    const inbox = fields['inbox_id'] == null ? undefined : text(fields, 'inbox_id')
    if (inbox !== undefined && !directory.inboxesOf(key.orgId).some(({ id }) => id === inbox)) {
      throw notFound('inbox', policy.foreignIdStatus)
    }
    const [domainId, inboxId] = [found?.id ?? null, inbox ?? null]
    const made = directory.createKey({ orgId: key.orgId, inboxId, permissions, domainId, name })
    const shown = { id: made.id, name, permissions, domain_id: domainId, inbox_id: inboxId }
    return reply({ status: 201, body: { key: shown, secret: made.secret } })
  }

  function listInboxes(c: ApiContext): Response {
    const key = c.get('key')
    const seen = directory.inboxesOf(key.orgId).filter(({ id }) => key.inboxId === null || key.inboxId === id)
    return reply({ status: 200, body: { data: seen.map(({ id, address }) => ({ id, address })) } })
  }

  async function createInbox(c: ApiContext): Promise<Response> {
    const key = wholeOrg(c)
    const localPart = text(asObject(await readJson(c, policy)), 'local_part')
    if (!/^[a-z0-9]([a-z0-9._+-]{0,62}[a-z0-9])?$/i.test(localPart)) {
      throw invalidRequest('local_part is not usable.', 'Send 1 to 64 letters, digits, dots, dashes or underscores.')
    }
    const domain = directory.domainsOf(key.orgId).find(({ status }) => status === 'verified')
    if (domain === undefined) throw notFound('domain', policy.foreignIdStatus)
    const address = `${localPart}@${domain.name}`
    if (directory.inboxAt(address)) throw taken('An inbox with this address exists.', 'Choose another local_part.')
    const inbox = directory.createInbox(key.orgId, address)
    return reply({ status: 201, body: { id: inbox.id, address: inbox.address } })
  }

  function listDomains(c: ApiContext): Response {
    return reply({ status: 200, body: { data: directory.domainsOf(c.get('key').orgId).map(shownDomain) } })
  }

  async function createDomain(c: ApiContext): Promise<Response> {
    const key = wholeOrg(c)
    const name = text(asObject(await readJson(c, policy)), 'name').toLowerCase()
    if (!/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(name) || name.length > 253) {
      throw invalidRequest('name is not a domain name.', 'Send a name such as mail.example.com.')
    }
    if (directory.domainsOf(key.orgId).some((domain) => domain.name === name)) {
      throw taken('The project has this domain.', 'List the domains to see it.')
    }
    return reply({ status: 201, body: shownDomain(directory.createDomain(key.orgId, name)) })
  }
}

function taken(message: string, fix: string): ApiError {
  return new ApiError({ status: 409, code: 'already_exists', message, fix })
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '') return value
  throw invalidRequest(`${name} is missing or not a string.`, `Send ${name} as a string.`)
}

function shownDomain({ id, name, status }: { id: string; name: string; status: string }) {
  const records = [{ type: 'TXT', name: `_reference.${name}`, value: id }]
  return { id, name, status, records, next_step: status === 'verified' ? null : 'Publish the records.' }
}

function wholeOrg(c: ApiContext): Key {
  const key = c.get('key')
  if (key.inboxId === null) return key
  throw new ApiError({
    status: 403,
    code: 'forbidden',
    message: 'A key limited to one inbox cannot do this.',
    fix: 'Use a key of the whole org.',
  })
}
