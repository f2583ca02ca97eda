import { patchesOfServer, type Patch } from '../define.js'

const attempt = 'server/engine/attempt.ts'
const attempts = 'server/engine/attempts.ts'
const egress = 'server/egress/egress.ts'
const stream = 'server/stream.ts'

const isRetry = 'due.attempt > 0'
const isReplay = 'deliveries.get(due.id, due.webhookId).replayOf !== null'
const told = 'options.onEnded?.({ deliveryId: due.id, attempt, startedAt, sent, outcome })'

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

/** What is checked is told whether it is for an attempt of which `condition` holds of `due`; `judge` decides then on `verdict`. */
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

/** Deviations of what is done once more: retries, replays, and a stream that resumes. */
export const repeatCellMutants = patchesOfServer([
  [
    'retries-without-empty-texts',
    'the second and later attempts leave out texts that are empty',
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
    'texts of digits are numbers at the second and later attempts',
    ['RTY-014'],
    writes(isRetry, digitsAsNumbers),
  ],
  [
    'replays-texts-of-digits-as-numbers',
    'texts of digits are numbers when a delivery is replayed',
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
    'ends of lines in texts are those of Unix at the second and later attempts',
    ['RTY-014'],
    writes(isRetry, ofTexts(String.raw`value.replaceAll('\r\n', '\n')`)),
  ],
  [
    'replays-trimmed-texts',
    'blanks around texts are cut off when a delivery is replayed',
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
    'a delivery of more than 64 KB does not fit the queue of retries, and is given up after its first attempt',
    ['RTY-012'],
    {
      file: attempts,
      find: told,
      replace: `if (status === 'pending' && sent?.body.length > 65_536) {
  deliveries.record({ ...deliveries.get(due.id, due.webhookId), status: 'failed', nextAttemptAt: null })
  return null
}
${told}`,
    },
  ],
  [
    'cuts-large-events-at-retries',
    'the column from which the second and later attempts are sent has 65,535 letters for a text',
    ['RTY-014'],
    writes(isRetry, ofTexts('value.slice(0, 65_535)')),
  ],
  [
    'replays-no-large-event',
    'a replay of more than 64 KB is answered with 202, and not sent',
    ['RPL-002'],
    {
      file: 'server/api/routes-deliveries.ts',
      find: 'dueAt: now',
      replace: 'dueAt: services.events.get(original.eventId).dataJson.length > 65_536 ? now + 1e13 : now',
    },
  ],
  [
    'judges-the-first-answer-of-a-retry',
    'at the second and later attempts only the first of several answers is checked, and the others are fallen back on',
    ['NET-012'],
    ...checks('due.attempt > 0', onTheFirst),
  ],
  [
    'judges-the-first-answer-of-a-replay',
    'for a replay only the first of several answers is checked, and the others are fallen back on',
    ['NET-012'],
    ...checks('due.isReplay', onTheFirst),
  ],
  [
    'resolves-again-to-retry-late',
    'from the third attempt on the name is resolved once to check it and again to connect',
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
      replace: `pool.on('connect', () => (pool.hasConnected = true))
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
    'where a client reads its backlog slower than it is sent, the rest of it is dropped, and the stream goes live',
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
])
