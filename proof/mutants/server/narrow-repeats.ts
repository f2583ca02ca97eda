import { patchesOfServer, type Patch } from '../define.js'

const attempt = 'server/engine/attempt.ts'
const attempts = 'server/engine/attempts.ts'
const egress = 'server/egress/egress.ts'
const routes = 'server/api/routes-deliveries.ts'
const stream = 'server/stream.ts'

const isRetry = 'due.attempt > 0'
const isReplay = 'deliveries.get(due.id, due.webhookId).replayOf !== null'
const onEnded = 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })'

/** The body of an attempt of which `condition` holds is what `code` makes of the `whole`. */
function writes(condition: string, code: string): Patch {
  return {
    file: attempts,
    find: 'const body = bodyOf(event)',
    replace: `const whole = bodyOf(event)
const body = ${condition} ? ${code} : whole`,
  }
}

/** The whole body with each `value` written anew. */
const anew = (value: string) => `JSON.stringify(JSON.parse(whole), (name, value) => ${value})`
const ofTexts = (text: string) => anew(`typeof value === 'string' ? ${text} : value`)
const ofNumbers = (number: string) => anew(`typeof value === 'number' ? ${number} : value`)
const ofLists = (list: string) => anew(`Array.isArray(value) ? ${list} : value`)
const withoutEmptyTexts = String.raw`whole.replace(/,"[a-z_]+":""/g, '')`
const withoutEmptyLists = String.raw`whole.replace(/,"[a-z_]+":\[\]/g, '')`
const digitsAsNumbers = ofTexts(String.raw`/^\d+$/.test(value) ? Number(value) : value`)

/** Passes the address check whether it is for an attempt for which `condition` holds on `due`; `judge` then decides on `verdict`. */
function checks(condition: string, decide: string): readonly [Patch, ...Patch[]] {
  return [
    {
      file: attempts,
      find: 'return await makeAttempt({ due,',
      replace: `return await makeAttempt({ due: { ...due, isReplay: ${isReplay} },`,
    },
    {
      file: attempt,
      find: 'await unlessAborted(egress.check(target), signal)',
      replace: `await unlessAborted(egress.check(target, ((due) => ${condition})(options.due)), signal)`,
    },
    { file: egress, find: 'async check(target)', replace: 'async check(target, isOther)' },
    {
      file: egress,
      find: 'return judge(addresses, target.port)',
      replace: `const verdict = judge(addresses, target.port)
return isOther ? ${decide} : verdict`,
    },
  ]
}
const onTheFirst =
  "judge(addresses.slice(0, 1), target.port).kind === 'blocked' ? verdict : { kind: 'connect', addresses }"
const resolvedAgain =
  "verdict.kind === 'blocked' ? verdict : { kind: 'connect', addresses: await resolver.resolve(target.host) }"

/** Deviations of repeated work: retries, replays, and a stream that resumes. */
export const narrowRepeatMutants = patchesOfServer([
  [
    'retries-without-empty-texts',
    'the second and later attempts leave out strings that are empty',
    ['RTY-014'],
    writes(isRetry, withoutEmptyTexts),
  ],
  [
    'replays-without-empty-lists',
    'a replay leaves out lists that are empty',
    ['RPL-002'],
    writes(isReplay, withoutEmptyLists),
  ],
  [
    'retries-with-twenty-addresses',
    'of the addresses of an event the second and later attempts have twenty',
    ['RTY-014'],
    writes(isRetry, ofLists('value.slice(0, 20)')),
  ],
  [
    'replays-with-twenty-addresses',
    'of the addresses of an event a replay has twenty',
    ['RPL-002'],
    writes(isReplay, ofLists('value.slice(0, 20)')),
  ],
  [
    'retries-each-recipient-once',
    'addresses are a set at the second and later attempts',
    ['RTY-014'],
    writes(isRetry, ofLists('[...new Set(value)]')),
  ],
  [
    'retries-texts-of-digits-as-numbers',
    'strings of digits are numbers at the second and later attempts',
    ['RTY-014'],
    writes(isRetry, digitsAsNumbers),
  ],
  [
    'replays-texts-of-digits-as-numbers',
    'strings of digits are numbers when a delivery is replayed',
    ['RPL-002'],
    writes(isReplay, digitsAsNumbers),
  ],
  [
    'retries-whole-numbers',
    'fractions are cut off at the second and later attempts',
    ['RTY-014'],
    writes(isRetry, ofNumbers('Math.trunc(value)')),
  ],
  [
    'replays-numbers-of-32-bits',
    'numbers that 32 bits do not hold are lost when a delivery is replayed',
    ['RPL-002'],
    writes(isReplay, ofNumbers('Number.isInteger(value) ? value | 0 : value')),
  ],
  [
    'retries-ends-of-lines-of-unix',
    'ends of lines in strings are those of Unix at the second and later attempts',
    ['RTY-014'],
    writes(isRetry, ofTexts(String.raw`value.replaceAll('\r\n', '\n')`)),
  ],
  [
    'replays-trimmed-texts',
    'blanks around strings are cut off when a delivery is replayed',
    ['RPL-002'],
    writes(isReplay, ofTexts('value.trim()')),
  ],
  [
    'replays-composed-letters',
    'letters and their accents are composed when a delivery is replayed',
    ['RPL-002'],
    writes(isReplay, ofTexts("value.normalize('NFC')")),
  ],
  [
    'retries-no-large-event',
    'a delivery of more than 64 KB is not retried',
    ['RTY-012'],
    {
      file: attempts,
      find: onEnded,
      replace: `if (status === 'pending' && sent?.body.length > 65_536) {
  deliveries.record({ ...deliveries.get(due.id, due.webhookId), status: 'failed', nextAttemptAt: null })
  return null
}
${onEnded}`,
    },
  ],
  [
    'cuts-large-events-at-retries',
    'retries cut strings at 65,535 characters',
    ['RTY-014'],
    writes(isRetry, ofTexts('value.slice(0, 65_535)')),
  ],
  [
    'replays-no-large-event',
    'a replay of more than 64 KB is answered with 202, and not sent',
    ['RPL-002'],
    {
      file: routes,
      find: 'dueAt: now',
      replace: 'dueAt: services.events.get(original.eventId).dataJson.length > 65_536 ? now + 1e13 : now',
    },
  ],
  [
    'judges-the-first-answer-of-a-retry',
    'at retries only the first address is checked, and the others are fallbacks',
    ['NET-012'],
    ...checks('due.attempt > 0', onTheFirst),
  ],
  [
    'judges-the-first-answer-of-a-replay',
    'for a replay only the first address is checked, and the others are fallbacks',
    ['NET-012'],
    ...checks('due.isReplay', onTheFirst),
  ],
  [
    'resolves-again-to-retry-late',
    'from the third attempt on the name is resolved again to connect',
    ['NET-011'],
    ...checks('due.attempt > 1', resolvedAgain),
  ],
  [
    'resolves-again-to-replay',
    'for a replay the name is resolved once to check it and again to connect',
    ['NET-011'],
    ...checks('due.isReplay', resolvedAgain),
  ],
  [
    'gives-up-on-handshakes-without-an-answer',
    'an attempt whose time is over before it had a connection ends the delivery',
    ['RTY-012'],
    {
      file: egress,
      find: 'const answer = await unlessAborted(answering, request.signal)',
      replace: `const answer = await unlessAborted(answering, request.signal).catch((error) => {
  throw Object.assign(error, { isUnconnected: pool.hasConnected !== true })
})`,
    },
    {
      file: 'server/egress/pools.ts',
      find: 'pools.delete(key)',
      replace: `if (pool.hasConnected === undefined) pool.on('connect', () => (pool.hasConnected = true))
pool.hasConnected ??= false
pools.delete(key)`,
    },
    {
      file: attempt,
      find: "if (signal.aborted) return { kind: 'timeout' }",
      replace: "if (signal.aborted) return { kind: 'timeout', isUnconnected: error.isUnconnected }",
    },
    {
      file: 'server/engine/next-state.ts',
      find: 'if (!rules.isRetried(outcome))',
      replace: 'if (!rules.isRetried(outcome) || outcome.isUnconnected === true)',
    },
  ],
  [
    'drops-what-a-slow-reader-of-a-backlog-leaves',
    'a slow reader of a backlog loses the rest of it',
    ['STR-005'],
    { file: stream, find: 'limit: policy.streamPageSize', replace: 'limit: 20' },
    { file: stream, find: 'page.length < policy.streamPageSize', replace: 'page.length < 20' },
    {
      file: stream,
      find: 'if (isFull(client)) return waitForDrain(client)',
      replace: `if (isFull(client)) {
  client.cursor = events.newestId()
  client.isLive = true
  return
}`,
    },
  ],
  [
    'loses-events-at-the-hand-over-of-an-inbox',
    'events raised while a key of an inbox is sent its backlog are lost',
    ['STR-006'],
    {
      file: stream,
      find: 'cursor: after ?? events.newestId()',
      replace: "snapshotId: key.inboxId === null ? '~' : events.newestId(), cursor: after ?? events.newestId()",
    },
    { file: stream, find: 'limit: policy.streamPageSize', replace: 'limit: 3' },
    {
      file: stream,
      find: 'for (const event of page) send(client, frameOf(event))',
      replace: `const snapshot = page.filter(({ id }) => id <= client.snapshotId)
for (const event of snapshot) send(client, frameOf(event))`,
    },
    { file: stream, find: 'page.length < policy.streamPageSize', replace: 'snapshot.length < 3' },
  ],
  [
    'replays-ten-a-second',
    'only ten replays a second are sent per webhook',
    ['RPL-002'],
    {
      file: routes,
      find: 'dueAt: now',
      replace:
        'dueAt: deliveries.list(webhook.id, 100).filter((each) => each.replayOf !== null && each.createdAt > now - 1000).length < 10 ? now : now + 1e13',
    },
  ],
  [
    'replays-for-the-first-project',
    'in a second project a replay is answered with 202, and not made',
    ['RPL-002'],
    {
      file: routes,
      find: 'const now = queues.now(webhook.workspaceId)',
      replace: `const now = queues.now(webhook.workspaceId)
if (services.directory.orgsOf(webhook.workspaceId)[0] !== webhook.orgId)
  return reply(policy.replayAnswer(policy.shownDelivery(original)))`,
    },
  ],
  [
    'stops-retries-of-the-first-project',
    'in a second project a delete does not stop waiting retries',
    ['WHK-015'],
    {
      file: 'server/api/routes-webhooks.ts',
      find: 'deliveries.stop(webhook.id, policy.deletedPendingStatus)',
      replace: `if (directory.orgsOf(webhook.workspaceId)[0] === webhook.orgId)
  deliveries.stop(webhook.id, policy.deletedPendingStatus)`,
    },
  ],
  [
    'signs-retries-with-the-newest-secret-of-a-url',
    'retries are signed with the secret of the newest webhook on the url',
    ['SIG-006'],
    {
      file: attempts,
      find: 'const { url, secret } = webhook',
      replace: `const { url } = webhook
const others = webhooks.ofOrg(webhook.orgId).filter((each) => each.url === url && !each.isDeleted)
const { secret } = ${isRetry} ? (others.at(-1) ?? webhook) : webhook`,
    },
  ],
  [
    'keeps-no-snippet-of-a-redirect',
    'the body of a redirect is not kept',
    ['DLV-019'],
    {
      file: attempt,
      find: 'snippet: policy.snippet(answered, status)',
      replace: "snippet: [301, 302, 303, 307, 308].includes(status) ? '' : policy.snippet(answered, status)",
    },
  ],
  [
    'fails-on-an-encoding-it-does-not-know',
    'treats a 2xx with an unknown content encoding as a failure',
    ['DLV-005'],
    {
      file: egress,
      find: 'return { status: answer.statusCode,',
      replace: `if (answer.headers['content-encoding'] === 'x-unknown') throw new Error('unknown encoding')
return { status: answer.statusCode,`,
    },
  ],
  ...(
    [
      ['tells-an-inbox-no-next-attempt', 'next_attempt_at', 'DLV-020'],
      ['tells-an-inbox-no-snippet', 'response_body_snippet', 'DLV-019'],
      ['tells-an-inbox-no-original', 'replay_of', 'RPL-004'],
    ] as const
  ).map(
    ([name, field, requirement]) =>
      [
        name,
        `${field} of a delivery is null in the list that the key of an inbox gets`,
        [requirement],
        {
          file: routes,
          find: 'map((delivery) => policy.shownDelivery(delivery))',
          replace: `map((delivery) => ({ ...policy.shownDelivery(delivery), ...(c.get('key').inboxId === null ? {} : { ${field}: null }) }))`,
        },
      ] as const,
  ),
])
