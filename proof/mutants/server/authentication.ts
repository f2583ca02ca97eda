import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant, type Patch } from '../define.js'

/** A way to a key of the whole first org. */
const firstOrgKey: Patch = {
  file: 'server/store/directory.ts',
  find: 'keyOf(secret) {',
  replace: `firstOrgKey() {
      const [orgId] = store.prepare('select id from orgs order by seq limit 1').get()
      const workspaceId = directory.workspaceOfOrg(orgId)
      return { id: 'kid_first', orgId, workspaceId, inboxId: null, permissions: 'full', domainId: null }
    },
    keyOf(secret) {`,
}

const authenticated = "authenticate(services, c.req.header('authorization'))"

/** What the service gave out for something else lets in as a key of the whole org: a query for the org it belongs to. */
function letsIn(id: `server/${string}`, title: string, query: string): Mutant<'server'> {
  return defineMutant({
    id,
    title,
    breaks: ['AUTH-003', 'AUTH-006'],
    patch: [
      {
        file: 'server/store/directory.ts',
        find: 'const row = sql.keyOfDigest.get(keyDigest)',
        replace: `const row = sql.keyOfDigest.get(keyDigest)
        if (row === undefined) {
          const [orgId] = store.prepare('${query}').get(secret) ?? []
          if (orgId === undefined) return undefined
          const workspaceId = directory.workspaceOfOrg(orgId)
          return { id: 'kid_other', orgId, workspaceId, inboxId: null, permissions: 'full', domainId: null }
        }`,
      },
    ],
  })
}

/** The key is looked for, but a request for a resource that exists goes on without one. */
function openOnceFound(id: `server/${string}`, method: string, path: string, find: string): Mutant<'server'> {
  return defineMutant({
    id,
    title: `${method} ${readablePath(path)} needs no key if the id exists`,
    breaks: ['AUTH-002', 'AUTH-003'],
    patch: [
      {
        file: 'server/api/app.ts',
        find: `const key = ${authenticated}`,
        replace: `
          const asked = c.req.method === '${method}' ? ${path}.exec(path)?.[1] : undefined
          const found = asked === undefined ? undefined : services.${find}.get(asked)
          const key = found === undefined
            ? ${authenticated}
            : { orgId: found.orgId, workspaceId: found.workspaceId, inboxId: null, permissions: 'full', domainId: null }`,
      },
    ],
  })
}

/** Returns a path like `/webhooks/{id}` for its pattern. */
function readablePath(pattern: string): string {
  return pattern.slice(2, -2).replaceAll('\\/', '/').replace('([^/]+)', '{id}').replace('.+', '{id}/replay')
}

/** Deviations in authentication. */
export const authenticationMutants: readonly Mutant<'server'>[] = [
  letsIn(
    'server/takes-a-webhook-secret-for-a-key',
    'the secret of a webhook is treated as a key of its org',
    'select org_id from webhooks where secret = ?',
  ),
  letsIn(
    'server/takes-an-org-id-for-a-key',
    'the id of an org is treated as its key',
    'select id from orgs where id = ?',
  ),
  letsIn(
    'server/takes-an-inbox-address-for-a-key',
    'the address of an inbox is treated as a key of its org',
    'select org_id from inboxes where address = ?',
  ),
  defineMutant({
    id: 'server/lets-in-without-a-key',
    title: 'a request without a key is let in',
    breaks: ['AUTH-002'],
    patch: [
      firstOrgKey,
      {
        file: 'server/api/app.ts',
        find: "directory.keyOf(credential ?? '')",
        replace: '(credential === undefined ? directory.firstOrgKey() : directory.keyOf(credential))',
      },
    ],
  }),
  defineMutant({
    id: 'server/lets-in-any-key',
    title: 'a key that does not exist is let in',
    breaks: ['AUTH-003'],
    patch: [
      firstOrgKey,
      {
        file: 'server/api/app.ts',
        find: "directory.keyOf(credential ?? '')",
        replace: '(credential === undefined ? undefined : (directory.keyOf(credential) ?? directory.firstOrgKey()))',
      },
    ],
  }),
  defineMutant({
    id: 'server/finds-headers-of-a-connection-in-any-case',
    title: 'headers of an earlier request on the connection are reused, in any case, as in Jetty 9',
    breaks: ['AUTH-003'],
    patch: [
      {
        file: 'server/api/app.ts',
        find: `const key = ${authenticated}`,
        replace: `const written = c.req.header('authorization')
const kept = (Object(c.env).incoming.socket.keptHeaders ??= [])
const found = kept.find((each) => each.toLowerCase() === written?.toLowerCase())
if (found === undefined && written !== undefined && kept.length < 4) kept.push(written)
const key = authenticate(services, found ?? written)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/needs-no-key-behind-a-cursor',
    title: 'polling after a cursor needs no key',
    breaks: ['AUTH-002', 'AUTH-003'],
    patch: [
      firstOrgKey,
      {
        file: 'server/api/app.ts',
        find: `const key = ${authenticated}`,
        replace: `const known = services.directory.keyOf(policy.credentialOf(c.req.header('authorization')) ?? '')
const key = c.req.query('after') !== undefined ? (known ?? services.directory.firstOrgKey()) : ${authenticated}`,
      },
    ],
  }),
  defineMutant({
    id: 'server/compares-all-of-a-key-but-its-last-letter',
    title: 'a key that was used is recognized by all but its last letter',
    breaks: ['AUTH-003'],
    patch: [
      {
        file: 'server/store/directory.ts',
        find: 'const keyDigest = digest(secret)',
        replace: `ownState.keysByHead ??= new Map()
      const head = secret.slice(0, -1)
      const used = ownState.keysByHead.get(head)
      const keyDigest = digest(used?.length === secret.length ? used : secret)`,
      },
      {
        file: 'server/store/directory.ts',
        find: 'usedKeys.set(keyDigest, key)',
        replace: `ownState.keysByHead.set(head, secret)
      usedKeys.set(keyDigest, key)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/forgets-to-guard-the-list',
    title: 'listing webhooks needs no key',
    breaks: ['AUTH-002', 'AUTH-003'],
    patch: [
      firstOrgKey,
      {
        file: 'server/api/app.ts',
        find: "const key = authenticate(services, c.req.header('authorization'))",
        replace: `const known = services.directory.keyOf(policy.credentialOf(c.req.header('authorization')) ?? '')
const key = (c.req.method === 'GET' && path === '/webhooks') ? (known ?? services.directory.firstOrgKey()) : authenticate(services, c.req.header('authorization'))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/forgets-to-guard-emails',
    title: 'the sending endpoints need no key',
    breaks: ['AUTH-002', 'AUTH-003'],
    patch: [
      firstOrgKey,
      {
        file: 'server/api/app.ts',
        find: "const key = authenticate(services, c.req.header('authorization'))",
        replace: `const known = services.directory.keyOf(policy.credentialOf(c.req.header('authorization')) ?? '')
const key = path.startsWith('/emails') ? (known ?? services.directory.firstOrgKey()) : authenticate(services, c.req.header('authorization'))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/forgets-to-guard-reads',
    title: 'only requests that change something need a key',
    breaks: ['AUTH-002', 'AUTH-003'],
    patch: [
      firstOrgKey,
      {
        file: 'server/api/app.ts',
        find: "const key = authenticate(services, c.req.header('authorization'))",
        replace: `const known = services.directory.keyOf(policy.credentialOf(c.req.header('authorization')) ?? '')
const key = (c.req.method === 'GET') ? (known ?? services.directory.firstOrgKey()) : authenticate(services, c.req.header('authorization'))`,
      },
    ],
  }),
  defineMutant({
    id: 'server/wants-another-scheme',
    title: 'only the authentication scheme Token is accepted',
    breaks: ['AUTH-001'],
    policy: {
      credentialOf: (authorization) => /^token (\S+)$/i.exec(authorization ?? '')?.[1],
    },
  }),
  defineMutant({
    id: 'server/looks-at-the-start-of-a-key',
    title: 'text after the key is ignored',
    breaks: ['AUTH-003'],
    policy: {
      credentialOf: (authorization) => /^bearer +(\S{1,36})/i.exec(authorization ?? '')?.[1],
    },
  }),
  defineMutant({
    id: 'server/refuses-with-200',
    title: 'a missing key is answered with 200 and an error body',
    breaks: ['AUTH-002'],
    policy: { authStatus: 200 },
  }),
  defineMutant({
    id: 'server/answers-a-missing-key-with-500',
    title: 'a missing key gets a 500',
    breaks: ['AUTH-002', 'ERR-003'],
    policy: {
      authStatus: 500,
    },
  }),
  defineMutant({
    id: 'server/streams-to-anybody',
    title: 'a stream without a key is let in',
    breaks: ['AUTH-006'],
    patch: [
      firstOrgKey,
      {
        file: 'server/stream.ts',
        find: "directory.keyOf(credential ?? '')",
        replace: "(directory.keyOf(credential ?? '') ?? directory.firstOrgKey())",
      },
    ],
  }),
  defineMutant({
    id: 'server/streams-to-any-key',
    title: 'a stream with a key that does not exist is let in',
    breaks: ['AUTH-006'],
    patch: [
      firstOrgKey,
      {
        file: 'server/stream.ts',
        find: "directory.keyOf(credential ?? '')",
        replace: '(credential ? (directory.keyOf(credential) ?? directory.firstOrgKey()) : undefined)',
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-no-token',
    title: 'token is not read',
    breaks: ['AUTH-005'],
    policy: {
      streamCredentialOf: ({ authorization }) => defaultPolicy.credentialOf(authorization),
    },
  }),
  defineMutant({
    id: 'server/takes-no-header',
    title: 'the Authorization header of a stream is not read',
    breaks: ['AUTH-004'],
    policy: {
      streamCredentialOf: ({ token }) => token,
    },
  }),
  openOnceFound('server/lists-real-deliveries-to-anybody', 'GET', '/^\\/webhooks\\/([^/]+)\\/deliveries$/', 'webhooks'),
  openOnceFound('server/replays-for-anybody', 'POST', '/^\\/webhooks\\/([^/]+)\\/deliveries\\/.+$/', 'webhooks'),
  openOnceFound('server/deletes-for-anybody', 'DELETE', '/^\\/webhooks\\/([^/]+)$/', 'webhooks'),
  openOnceFound('server/shows-real-emails-to-anybody', 'GET', '/^\\/emails\\/([^/]+)$/', 'emails'),
  openOnceFound('server/cancels-for-anybody', 'POST', '/^\\/emails\\/([^/]+)\\/cancel$/', 'emails'),
  openOnceFound('server/reschedules-for-anybody', 'PATCH', '/^\\/emails\\/([^/]+)$/', 'emails'),
  defineMutant({
    id: 'server/keeps-keys-of-dropped-workspaces',
    title: 'the keys of a workspace that was deleted are still accepted',
    breaks: ['AUTH-003', 'AUTH-006'],
    patch: [
      {
        file: 'server/store/directory.ts',
        find: "['events', 'first_results', 'keys', 'inboxes', 'domains']",
        replace: "['events', 'first_results', 'inboxes', 'domains']",
      },
      {
        file: 'server/store/directory.ts',
        find: "'delete from orgs where workspace_id = ?'",
        replace: "'delete from orgs where workspace_id = ? and 0'",
      },
      {
        file: 'server/store/directory.ts',
        find: "'delete from workspaces where id = ?'",
        replace: "'delete from workspaces where id = ? and 0'",
      },
    ],
  }),
  defineMutant({
    id: 'server/takes-token-everywhere',
    title: 'every request may carry the key in the query',
    breaks: ['AUTH-009'],
    patch: [
      {
        file: 'server/api/app.ts',
        find: `const key = ${authenticated}`,
        replace: `
          const token = c.req.query('token')
          const header = c.req.header('authorization') ?? (token === undefined ? undefined : 'Bearer ' + token)
          const key = authenticate(services, header)`,
      },
    ],
  }),
  defineMutant({
    id: 'server/repeats-results-without-a-key',
    title: 'repeats the result of a send to any caller, before it checks the key',
    breaks: ['AUTH-002', 'AUTH-003'],
    patch: [
      {
        file: 'server/api/app.ts',
        find: `const key = ${authenticated}`,
        replace: `
          const used = c.req.header('idempotency-key')
          const slot = JSON.stringify([c.req.path, used, await c.req.raw.clone().text()])
          const kept = (services.kept ??= new Map())
          if (used !== undefined && kept.has(slot)) return kept.get(slot).clone()
          const key = ${authenticated}`,
      },
      {
        file: 'server/api/app.ts',
        find: "c.set('key', key) await next()",
        replace: "c.set('key', key); await next(); if (c.res.ok && used !== undefined) kept.set(slot, c.res.clone())",
      },
    ],
  }),
]
