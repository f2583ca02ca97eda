// Freedoms of a service where the interface is silent: refusals, limits, checks and omissions.
import type { Patch } from '../patching/patch.js'
import { classifyAddress, defaultPolicy } from '../../reference/server/index.js'
import { variant, type ServerVariant } from './server-variant.js'

const { isLocalName, judgedHost, credentialOf, shownDelivery, createdWebhook, eventData, retryDelaysMs } = defaultPolicy

/** Names that no public DNS knows; a lookup of them finds nothing. */
const isWithoutAddress = (host: string): boolean => /(^|\.)[^.]+\.example\.com\.?$|\.example\.?$/i.test(host)

/** The host of a url, but of one with a public address at any port than the default one. */
function hostAtDefaultPort(url: string): string | null {
  const host = judgedHost(url)
  const isPublic =
    host !== null && /^[\d.]+$|^\[/.test(host) && classifyAddress(host.replace(/[[\]]/g, '')) === 'public'
  return isPublic && new URL(url).port !== '' ? null : host
}

/** The host as a parser reads it that knows no spelling of an address but the usual ones: all else is a name. */
function usualHost(url: string): string | null {
  if (url !== url.trim()) return null
  const written = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+)/i.exec(url)?.[1]
  const parsed = judgedHost(url)
  if (written === undefined || parsed === null || parsed === written.toLowerCase()) return parsed
  return parsed.startsWith('[') || /[^\x21-\x7e]|%/.test(written) ? parsed : written
}

/** Returns the host as a parser reads it that searches for an address before it maps characters beyond ASCII: such a host is a name. */
function unmappedHost(url: string): string | null {
  const written = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:[\]]+)/i.exec(url)?.[1]
  const parsed = judgedHost(url)
  return parsed !== null && written !== undefined && /[^\x21-\x7e]/.test(written.trim()) ? written : parsed
}

/** Lets the egress request a URL by itself, at the addresses that it checked. */
const looks: Patch = {
  file: 'server/egress/egress.ts',
  find: 'async check(target) {',
  replace: `async look(target) {
      try {
        const { addresses = [] } = judge(await resolver.resolve(target.host), target.port)
        await this.post({ target, addresses, headers: {}, body: '', signal: AbortSignal.timeout(2000), maxBytes: 100 })
      } catch {}
    },
    async check(target) {`,
}

export const serverFreedoms: readonly ServerVariant[] = [
  variant('one-webhook-per-url', 'a second webhook on one url is refused with 409', ['same-url'], {
    sameUrl: 'refuse',
  }),
  variant('pages-of-a-gateway', 'a gateway answers large requests with its own page', ['limits-and-quotas'], {
    gatewayPage: (status) => (status === 413 ? '<html><h1>413 Request Entity Too Large</h1></html>' : undefined),
  }),
  variant(
    'malformed-ids-told',
    'an id of another form than the own ones is answered with 422',
    ['malformed-id-status'],
    {
      malformedIdStatus: 422,
    },
  ),
  variant('one-type-as-text', 'one event type as text is a list of one', ['wrong-types'], {
    eventTypeAsText: 'list-of-one',
  }),
  variant('wrong-types-are-missing', 'a filter or inbox of another type is taken as missing', ['wrong-types'], {
    wrongTypes: 'ignore',
  }),
  variant(
    'names-by-dns-alone',
    'odd spellings of an address are names without address; blanks around a url are refused',
    ['address-spellings', 'name-without-address'],
    { judgedHost: usualHost, spelledAddresses: 'look-up' },
  ),
  variant(
    'mapped-hosts-are-names',
    'a host beyond ASCII is a name, even if its mapped form is an address',
    ['address-spellings', 'name-without-address'],
    { judgedHost: unmappedHost, spelledAddresses: 'look-up' },
  ),
  variant('names-must-resolve', 'a name without an address is refused at creation', ['name-without-address'], {
    isLocalName: (host) => isLocalName(host) || isWithoutAddress(host),
  }),
  {
    id: 'server/names-looked-up',
    title: 'looks up every name at creation, and refuses it without an address',
    openPoints: ['name-without-address', 'private-hostname'],
    policy: { resolvesAtCreation: true },
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: "kind === 'blocked' } catch { return false }",
        replace: "kind === 'blocked' } catch { return true }",
      },
    ],
  },
  variant('names-alone', 'every address in a url is refused', ['address-literals'], { literalHosts: 'refuse' }),
  variant('default-port-alone', 'a public address is taken at port 443 alone', ['url-refusal'], {
    judgedHost: hostAtDefaultPort,
  }),
  variant('pointless-filters-refused', 'refuses an inbox webhook for workspace events alone', ['pointless-filter'], {
    pointlessFilter: 'refuse',
  }),
  variant('webhooks-in-pages', 'pages webhooks by two', ['webhook-list-pages'], {
    webhookPageSize: 2,
    webhookListEnvelope: (items, nextCursor) => ({ data: items, next_cursor: nextCursor }),
  }),
  variant(
    'pages-of-webhooks-in-an-envelope',
    'pages webhooks, with the cursor in an envelope next to the list',
    ['webhook-list-pages', 'webhook-list-envelope'],
    {
      webhookPageSize: 2,
      webhookListEnvelope: (items, nextCursor) => ({
        object: 'page',
        webhooks: items,
        meta: { count: items.length, next_cursor: nextCursor },
      }),
    },
  ),
  variant('other-schemes-taken', 'the key is taken as Basic user and bare too', ['further-credentials'], {
    credentialOf: (authorization) => {
      const basic = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1]
      if (basic !== undefined) return Buffer.from(basic, 'base64').toString('utf8').split(':')[0]
      return credentialOf(authorization) ?? (/^\S+$/.test(authorization ?? '') ? authorization : undefined)
    },
  }),
  variant('filters-sorted', 'a filter is given back in alphabetical order', ['filter-given-back'], {
    createdWebhook: (webhook) => createdWebhook({ ...webhook, eventTypes: webhook.eventTypes.toSorted() }),
  }),
  variant('times-in-seconds', 'next_attempt_at is Unix seconds', ['timestamp-format'], {
    shownDelivery: (delivery) => ({
      ...shownDelivery(delivery),
      next_attempt_at: delivery.nextAttemptAt === null ? null : delivery.nextAttemptAt / 1000,
    }),
  }),
  variant('deletes-succeed-twice', 'deleting a deleted webhook succeeds', ['delete-again'], { deleteAgain: 'succeed' }),
  variant('history-not-listed', 'the deliveries of a deleted webhook are not listed', ['deleted-history'], {
    deletedHistory: 'not-found',
  }),
  variant('deleted-replays-sent', 'a replay below a deleted webhook is sent', ['replay-after-delete'], {
    replayAfterDelete: 'send',
  }),
  variant('replays-name-the-first', 'a replay of a replay names the first original', ['replay-of-a-replay'], {
    replayOf: (original) => original.replayOf ?? original.id,
  }),
  variant('empty-cursors-refused', 'an after that is empty is refused', ['empty-after'], { emptyAfter: 'refuse' }),
  variant('odd-limits-taken', 'a limit that makes no sense is taken as missing', ['odd-limits'], {
    oddLimit: 'default',
  }),
  {
    ...variant('scoped-keys-reach-the-org', 'a key of one inbox may do anything in its org', ['scoped-key-rights'], {
      keyReaches: (key, record) => key.orgId === record.orgId,
    }),
    ignores: ['SCOPE-012'],
  },
  {
    id: 'server/looks-at-new-urls',
    title: 'requests the url of a new webhook once, at a checked address',
    openPoints: ['url-check'],
    policy: {},
    patch: [
      {
        file: 'server/egress/url-check.ts',
        find: 'if (policy.resolvesAtCreation &&',
        replace: 'await egress.look(target); if (policy.resolvesAtCreation &&',
      },
      looks,
    ],
  },
  {
    id: 'server/looks-at-new-urls-later',
    title: 'requests the url of a new webhook once, a moment later',
    openPoints: ['url-check'],
    policy: {},
    patch: [
      {
        file: 'server/egress/url-check.ts',
        find: 'if (policy.resolvesAtCreation &&',
        replace: 'setTimeout(() => egress.look(target), 20); if (policy.resolvesAtCreation &&',
      },
      looks,
    ],
  },
  {
    id: 'server/unknown-webhooks-have-no-deliveries',
    title: 'the deliveries of a webhook that does not exist are an empty list',
    openPoints: ['unknown-webhook-list'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-deliveries.ts',
        find: 'function list(c) { const webhook = findWebhook(c, services)',
        replace: `function list(c) {
        let webhook
        try { webhook = findWebhook(c, services) } catch { return reply({ status: 200, body: policy.deliveryListEnvelope([]) }) }`,
      },
    ],
  },
  {
    id: 'server/deleted-webhooks-listed',
    title: 'a deleted webhook is listed with the time at which it was deleted',
    openPoints: ['deleted-listed'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: '.filter((webhook) => !webhook.isDeleted)',
        replace: '',
      },
      {
        file: 'server/api/routes-webhooks.ts',
        find: '.map((webhook) => policy.listedWebhook(webhook))',
        replace:
          ".map((webhook) => ({ ...policy.listedWebhook(webhook), ...(webhook.isDeleted && { deleted_at: '2026-01-01T00:00:00.000Z' }) }))",
      },
    ],
  },
  {
    id: 'server/few-webhooks-and-streams',
    title: 'an org has ten webhooks and three streams at most',
    openPoints: ['limits-and-quotas'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-webhooks.ts',
        find: 'const webhook = webhooks.create({',
        replace: `if (webhooks.ofOrg(key.orgId).filter((each) => !each.isDeleted).length >= 10)
          throw new ApiError({ status: 403, code: 'quota_exceeded', message: 'Ten webhooks are all.', fix: 'Delete one first.' })
        const webhook = webhooks.create({`,
      },
      {
        file: 'server/stream.ts',
        find: "if (!mayStream && policy.streamRefusal === 'refuse-upgrade') {",
        replace: `ownState.streamsOfKeys ??= new Map()
        const openOfKey = ownState.streamsOfKeys.get(key?.id) ?? 0
        if (mayStream && openOfKey >= 3)
          return answerRaw(socket, { reason: { status: 403, phrase: 'Forbidden', code: 'quota_exceeded', message: 'Three streams are all.', fix: 'Close one first.' }, policy })
        if (mayStream) {
          ownState.streamsOfKeys.set(key.id, openOfKey + 1)
          socket.once('close', () => ownState.streamsOfKeys.set(key.id, ownState.streamsOfKeys.get(key.id) - 1))
        }
        if (!mayStream && policy.streamRefusal === 'refuse-upgrade') {`,
      },
    ],
  },
  {
    id: 'server/streams-too-many-closed',
    title: 'allows three streams a key; upgrades and closes a fourth',
    openPoints: ['limits-and-quotas'],
    policy: {},
    patch: [
      {
        file: 'server/stream.ts',
        find: 'else open(opened, key, after)',
        replace: `else {
          ownState.openStreamsOfKeys ??= new Map()
          const count = ownState.openStreamsOfKeys.get(key.id) ?? 0
          if (count >= 3) return opened.close(4429, 'too many streams')
          ownState.openStreamsOfKeys.set(key.id, count + 1)
          socket.once('close', () => ownState.openStreamsOfKeys.set(key.id, ownState.openStreamsOfKeys.get(key.id) - 1))
          open(opened, key, after)
        }`,
      },
    ],
  },
  {
    id: 'server/whole-answers-count',
    title: 'an answer counts once its whole body is there',
    openPoints: ['answer-end'],
    policy: {},
    patch: [
      {
        file: 'server/egress/egress.ts',
        find: 'if (bytes >= request.maxBytes) break; } } catch { }',
        replace: 'if (bytes >= request.maxBytes) break } } catch (error) { throw error }',
      },
    ],
  },
  variant('data-with-more', 'the data of every event have a field of its own', ['extra-fields'], {
    eventData: (type, data) => ({ ...eventData(type, data), trace: `of ${type}` }),
  }),
  variant('first-attempts-queued', 'the first attempt is made by a worker, 300 ms later', ['first-attempt-queued'], {
    retryDelaysMs: [300, ...retryDelaysMs.slice(1)],
  }),
  {
    id: 'server/greets-streams',
    title: 'a stream begins with a greeting, and a heartbeat follows each event',
    openPoints: ['other-frames'],
    policy: {},
    patch: [
      {
        file: 'server/stream.ts',
        find: 'clients.add(client)',
        replace: `clients.add(client)
    socket.send(JSON.stringify({ type: 'stream.opened', timestamp: new Date().toISOString() }))`,
      },
      {
        file: 'server/stream.ts',
        find: 'client.socket.send(frame, { binary: false })',
        replace: `client.socket.send(frame, { binary: false })
    client.socket.send('{"type":"heartbeat","open":true}')`,
      },
    ],
  },
  {
    id: 'server/streams-begin-a-moment-later',
    title: 'starts a stream without `after` 40 ms after its upgrade',
    openPoints: ['start-of-a-stream'],
    policy: {},
    patch: [
      {
        file: 'server/stream.ts',
        find: 'else open(opened, key, after)',
        replace:
          'else if (after === undefined) setTimeout(() => open(opened, key, after), 40); else open(opened, key, after)',
      },
    ],
  },
  {
    id: 'server/streams-lag',
    title: 'an event reaches the streams by a queue, 700 ms after it was stored',
    openPoints: ['lagging-lists'],
    policy: {},
    patch: [
      {
        file: 'server/recorder.ts',
        find: 'store.afterCommit(() => publish(record))',
        replace: 'store.afterCommit(() => setTimeout(() => publish(record), 700))',
      },
      {
        file: 'server/stream.ts',
        find: 'cursor: after ?? events.newestId()',
        replace: "cursor: after ?? ''",
      },
      {
        file: 'server/stream.ts',
        find: 'if (!client.isLive || !sees(client, event)) continue',
        replace: 'if (!client.isLive || !sees(client, event) || event.id <= client.cursor) continue',
      },
    ],
  },
  {
    id: 'server/emails-appear-later',
    title: 'an email is found by its id 300 ms after it was taken',
    openPoints: ['late-resources'],
    policy: {},
    patch: [
      {
        file: 'server/api/routes-emails.ts',
        find: 'const sent = policy.sendAnswer(id)',
        replace: 'const sent = policy.sendAnswer(id); appearing.set(id, performance.now() + 300)',
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'const firstResults = createFirstResults(store, policy)',
        replace: 'const appearing = new Map(); const firstResults = createFirstResults(store, policy)',
      },
      {
        file: 'server/api/routes-emails.ts',
        find: 'if (email === undefined || !policy.keyReaches(key, email))',
        replace:
          'if (email === undefined || !policy.keyReaches(key, email) || appearing.get(email.id) > performance.now())',
      },
    ],
  },
  {
    id: 'server/deliveries-lag',
    title: 'a list shows an attempt as under way until 300 ms after its end',
    openPoints: ['lagging-lists'],
    policy: {},
    patch: [
      {
        file: 'server/store/delivery-store.ts',
        find: 'function toDelivery(row)',
        replace: 'const underWay = new Map(); function toDelivery(row)',
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'const { id, status, attempt, responseCode, error, nextAttemptAt } = result',
        replace: `const { id, status, attempt, responseCode, error, nextAttemptAt } = result
      const [due] = store.prepare('select next_attempt_at from deliveries where id = ?').get(id) ?? []
      underWay.set(id, { until: performance.now() + 300, attempt, nextAttemptAt: due == null ? null : Number(due) })`,
      },
      {
        file: 'server/store/delivery-store.ts',
        find: 'list.all(webhookId, limit).map(toDelivery)',
        replace: `list.all(webhookId, limit).map((row) => {
      const shown = toDelivery(row)
      const { until = 0, attempt, nextAttemptAt } = underWay.get(shown.id) ?? {}
      return until < performance.now() ? shown : { ...shown, status: 'pending', attempt, nextAttemptAt, responseCode: null, snippet: null, error: null }
    })`,
      },
    ],
  },
]
