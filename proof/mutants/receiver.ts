import type { RequirementId } from '../../spec/index.js'
import type { Patch } from '../patching/patch.js'
import { verifierPatch } from '../patching/verifier-places.js'
import { receiverPolicy } from '../../reference/receiver/index.js'
import { defineMutant, type Mutant } from './define.js'
import { verifierMutants } from './verifier.js'

/** A receiver around a verifier with one deviation. */
function verifying(verifierId: string, breaks: readonly [RequirementId, ...RequirementId[]]): Mutant<'receiver'> {
  const broken = verifierMutants.find((mutant) => mutant.id === `verifier/${verifierId}`)
  if (broken?.patch === undefined) throw new Error(`no patch verifier/${verifierId}`)
  return defineMutant({ id: `receiver/${verifierId}`, title: broken.title, breaks, patch: broken.patch })
}

/** Replaces one place of the receiver. */
const inReceiver = (find: string, replace: string): Patch => ({ file: 'receiver/receiver.ts', find, replace })

/** A receiver that verifies only where a condition on the headers holds. */
const verifyingOnlyIf = (condition: string): Patch =>
  inReceiver(
    'event: verifyWebhook(',
    `event: (${condition} ? verifyWebhook : ({ payload }) => {
        try {
          return JSON.parse(payload)
        } catch {
          throw new WebhookVerificationError('malformed_payload', 'the body is not JSON')
        }
      })(`,
  )

/** A receiver that has at hand, as `answer.message`, the signature that it expected. */
const knowingTheExpected: readonly [Patch, Patch] = [
  {
    file: 'verifier/verifier.ts',
    find: "'no v1 entry of webhook-signature equals the computed signature'",
    replace: "'expected v1,' + macOf(keysOf(secret)[0], id, timestamp, body)",
  },
  inReceiver(
    'return error instanceof WebhookVerificationError ? policy.refusedStatus(error.code) : 500',
    `answer.message = error.message
      return error instanceof WebhookVerificationError ? policy.refusedStatus(error.code) : 500`,
  ),
]

/** A receiver that verifies what it wrote again, where a condition holds. */
const reserializingIf = (condition: string): readonly [Patch, ...Patch[]] => [
  inReceiver(
    'const clock = now === undefined ? {} : { now: now() }',
    `let written = body
    try {
      if (${condition}) written = Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))))
    } catch {
      // Left as it is.
    }
    const clock = now === undefined ? {} : { now: now() }`,
  ),
  verifyingBytes('written'),
]

/** A receiver that looks its duplicates up by another mark than their id. */
const tellingDuplicatesBy = (mark: string): readonly [Patch, ...Patch[]] => [
  inReceiver(
    'if (this.#handled.has(id)) return policy.duplicateStatus',
    `const mark = ${mark}
    if (this.#handled.has(mark)) return policy.duplicateStatus
    this.#remember(mark)`,
  ),
]

/** A condition on how old a delivery is, in seconds. */
const secondsOld = (condition: string) =>
  `Date.now() / 1000 - Number(delivery.headers['webhook-timestamp']) ${condition}`

/** A receiver that verifies other bytes than were sent. */
const verifyingBytes = (bytes: string): Patch => inReceiver('payload: body', `payload: ${bytes}`)

type Data = Readonly<Record<string, unknown>>

const knownTypes = new Set([
  'message.received',
  'message.queued',
  'message.delivered',
  'message.deferred',
  'message.bounced',
  'message.complained',
  'message.failed',
  'sending.paused',
  'sending.resumed',
])
const knownFields = new Set(['id', 'type', 'timestamp', 'data'])
const { refusedStatus } = receiverPolicy

/** Deviations of webhook endpoints that real teams have shipped. */
export const receiverMutants: readonly Mutant<'receiver'>[] = [
  defineMutant({
    id: 'receiver/verifies-nothing',
    title: 'no signature is checked',
    breaks: ['RCV-004', 'RCV-005', 'RCV-006', 'RCV-007', 'RCV-008', 'RCV-011', 'RCV-020', 'RCV-023'],
    patch: [verifyingOnlyIf('false')],
  }),
  defineMutant({
    id: 'receiver/refuses-everything',
    title: 'every delivery is refused',
    breaks: ['RCV-001'],
    patch: [verifierPatch('equality', 'return false')],
  }),
  defineMutant({
    id: 'receiver/signs-by-a-pattern',
    title: 'String.replace builds the signed string, and interprets $& in the body',
    breaks: ['RCV-009'],
    patch: [verifyingBytes("Buffer.from('{body}'.replace('{body}', Buffer.from(body).toString('latin1')), 'latin1')")],
  }),
  defineMutant({
    id: 'receiver/composes-letters',
    title: 'the body is brought into NFC before it is verified',
    breaks: ['RCV-009'],
    patch: [verifyingBytes("Buffer.from(Buffer.from(body).toString().normalize('NFC'))")],
  }),
  ...(
    [
      [
        'decodes-entities',
        'entities of HTML in the body are decoded before it is verified',
        ".replaceAll('&amp;', '&')",
      ],
      [
        'decodes-percent-escapes',
        'decodes percent escapes of the body before it verifies',
        ".replace(/(?:%[0-9A-F]{2})+/g, (each) => Buffer.from(each.replaceAll('%', ''), 'hex').toString())",
      ],
      [
        'takes-spaces-alone',
        'a no-break space and a tab are made a space before the body is verified',
        ".replace(/[\\u00a0\\t]/g, ' ')",
      ],
      [
        'takes-what-is-seen-alone',
        'characters without a width are removed from the body before it is verified',
        ".replace(/[\\u200b-\\u200d]/g, '')",
      ],
      [
        'writes-plain-quotation-marks',
        'quotation marks beyond ASCII are made plain ones before the body is verified',
        `.replaceAll('\\u2019', "'")`,
      ],
    ] as const
  ).map(([id, title, changed]) =>
    defineMutant({
      id: `receiver/${id}`,
      title,
      breaks: ['RCV-009'],
      patch: [verifyingBytes(`Buffer.from(Buffer.from(body).toString()${changed})`)],
    }),
  ),
  defineMutant({
    id: 'receiver/answers-trials',
    title: 'an event of the type ping or webhook.test is answered before anything is verified',
    breaks: ['RCV-005'],
    patch: [verifyingOnlyIf('!/"type":"(?:ping|webhook\\.test)"/.test(Buffer.from(body).toString())')],
  }),
  defineMutant({
    id: 'receiver/forgives-an-hour',
    title: 'a timestamp that is off by an hour is treated as one of summer time',
    breaks: ['RCV-006', 'RCV-007'],
    patch: [
      verifierPatch('past', 'if (age > toleranceSeconds && Math.abs(age - 3600) > toleranceSeconds)'),
      verifierPatch('future', 'if (-age > toleranceSeconds && Math.abs(age + 3600) > toleranceSeconds)'),
    ],
  }),
  defineMutant({
    id: 'receiver/goes-by-the-date-of-the-request',
    title: 'the age of a delivery is computed from its Date header, if it has one',
    breaks: ['RCV-006', 'RCV-007'],
    patch: [
      inReceiver(
        'const clock = now === undefined ? {} : { now: now() }',
        `const date = Date.parse(headers.date ?? '')
    const own = now === undefined ? {} : { now: now() }
    const clock = Number.isNaN(date) ? own : { now: Math.floor(date / 1000) }`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/reads-its-clock-once',
    title: 'reads the time at the first delivery, and keeps it',
    breaks: ['RCV-006', 'RCV-007'],
    patch: [
      inReceiver(
        'const clock = now === undefined ? {} : { now: now() }',
        'const clock = { now: (this.startedAt ??= Math.floor(Date.now() / 1000)) }',
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/opens-without-a-signature',
    title: 'a delivery without a signature header is not checked',
    breaks: ['RCV-004'],
    patch: [verifyingOnlyIf("headers['webhook-signature'] !== undefined")],
  }),
  defineMutant({
    id: 'receiver/opens-without-an-id',
    title: 'a delivery without an id is not checked',
    breaks: ['RCV-004'],
    patch: [verifyingOnlyIf("headers['webhook-id'] !== undefined")],
  }),
  defineMutant({
    id: 'receiver/opens-without-a-timestamp',
    title: 'a delivery without a timestamp is not checked',
    breaks: ['RCV-004'],
    patch: [verifyingOnlyIf("headers['webhook-timestamp'] !== undefined")],
  }),
  defineMutant({
    id: 'receiver/reserializes-the-body',
    title: 'verifies a body that the framework parsed and wrote again',
    breaks: ['RCV-009'],
    patch: reserializingIf('true'),
  }),
  defineMutant({
    id: 'receiver/cleans-bodies-before-it-verifies',
    title: 'unsafe members of a body are searched recursively before the signature is verified',
    breaks: ['RCV-009'],
    patch: [
      inReceiver(
        'const clock = now === undefined ? {} : { now: now() }',
        `const clean = (value) => { for (const member of Object.values(value ?? {})) if (typeof member === 'object') clean(member) }
    try {
      clean(JSON.parse(body.toString('utf8')))
    } catch (error) {
      if (error instanceof RangeError) return 500
    }
    const clock = now === undefined ? {} : { now: now() }`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/looks-at-the-type-before-it-verifies',
    title: 'the type is read before the signature is verified: an event without one gets a 500',
    breaks: ['RCV-009'],
    patch: [
      inReceiver(
        'const clock = now === undefined ? {} : { now: now() }',
        `let parsed
    try {
      parsed = JSON.parse(body.toString('utf8'))
    } catch {
      // Refused below.
    }
    if (parsed !== undefined && typeof parsed?.type?.startsWith !== 'function') return 500
    const clock = now === undefined ? {} : { now: now() }`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/reserializes-large-bodies',
    title: 'a body of more than 20 KB is verified after re-serialization',
    breaks: ['RCV-009'],
    patch: reserializingIf('body.length > 20_000'),
  }),
  defineMutant({
    id: 'receiver/reserializes-chunked-bodies',
    title: 'parses a body in chunks before it verifies',
    breaks: ['RCV-009'],
    patch: reserializingIf("headers['transfer-encoding'] !== undefined"),
  }),
  defineMutant({
    id: 'receiver/reserializes-beyond-ascii',
    title: 'a body with letters outside ASCII is parsed before it is verified',
    breaks: ['RCV-009'],
    patch: reserializingIf('body.some((byte) => byte > 127)'),
  }),
  defineMutant({
    id: 'receiver/takes-the-body-signed-alone',
    title: 'a signature over the body alone, as an older scheme had it, is accepted too',
    breaks: ['RCV-008'],
    patch: [
      {
        file: 'verifier/verifier.ts',
        find: 'if (values.some((value) => isEqual(value, mac))) return',
        replace: `const ofBody = createHmac('sha256', key).update(body).digest('base64')
    if (values.some((value) => isEqual(value, mac) || isEqual(value, ofBody))) return`,
      },
    ],
  }),
  defineMutant({
    id: 'receiver/finds-entries-within-entries',
    title: 'the version label of an entry is searched for anywhere in it',
    breaks: ['RCV-011'],
    patch: [
      verifierPatch(
        'values',
        `entries.filter((entry) => entry.includes('v1,')).map((entry) => entry.slice(entry.indexOf('v1,') + 3))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/checks-no-age-of-second-zero',
    title: 'a timestamp of 0 counts as missing, and its age is not checked',
    breaks: ['RCV-006'],
    patch: [verifierPatch('past', 'if (seconds && age > toleranceSeconds)')],
  }),
  defineMutant({
    id: 'receiver/counts-ages-in-32-bits',
    title: 'the age of a delivery is counted in 32 bits',
    breaks: ['RCV-007'],
    patch: [
      {
        file: 'verifier/verifier.ts',
        find: 'const age = clock - seconds',
        replace: 'const age = (clock - seconds) | 0',
      },
    ],
  }),
  defineMutant({
    id: 'receiver/trims-the-body',
    title: 'blanks around the body are cut off',
    breaks: ['RCV-009'],
    patch: [verifyingBytes("body.toString('utf8').trim()")],
  }),
  defineMutant({
    id: 'receiver/reads-the-body-as-latin-1',
    title: 'the body is read as Latin-1',
    breaks: ['RCV-009'],
    patch: [verifyingBytes("body.toString('latin1')")],
  }),
  verifying('accepts-stale', ['RCV-006']),
  verifying('parses-timestamps-leniently', ['RCV-031']),
  verifying('takes-any-timestamp', ['RCV-023']),
  verifying('looks-at-the-decoded-bytes', ['RCV-027']),
  verifying('gives-up-at-a-malformed-entry', ['RCV-010']),
  verifying('accepts-future', ['RCV-007']),
  verifying('tolerates-ten-minutes', ['RCV-006']),
  verifying('tolerates-one-minute', ['RCV-006']),
  verifying('does-not-sign-the-id', ['RCV-001', 'RCV-008']),
  verifying('uses-the-undecoded-secret', ['RCV-020', 'RCV-001']),
  verifying('looks-at-the-first-entry-only', ['RCV-010', 'RCV-011']),
  verifying('looks-at-the-last-entry-only', ['RCV-010', 'RCV-011']),
  verifying('ignores-the-version', ['RCV-011']),
  verifying('stops-at-unknown-versions', ['RCV-011']),
  verifying('compares-a-prefix', ['RCV-005']),
  verifying('leaves-letters-out-of-the-comparison', ['RCV-005']),
  verifying('compares-the-length', ['RCV-005', 'RCV-008', 'RCV-020']),
  verifying('takes-an-empty-signature', ['RCV-005']),
  verifying('takes-hexadecimal', ['RCV-005']),
  verifying('compares-without-case', ['RCV-005']),
  verifying('compares-hash-codes', ['RCV-005']),
  verifying('crashes-on-an-entry-without-a-comma', ['RCV-015']),
  defineMutant({
    id: 'receiver/answers-500-to-a-bad-signature',
    title: 'every refusal is a 500',
    breaks: ['RCV-015', 'RCV-021'],
    policy: {
      refusedStatus: () => 500,
    },
  }),
  defineMutant({
    id: 'receiver/answers-500-to-a-missing-header',
    title: 'a missing header gets a 500',
    breaks: ['RCV-021'],
    policy: {
      refusedStatus: (code) => (code === 'missing_header' ? 500 : refusedStatus(code)),
    },
  }),
  defineMutant({
    id: 'receiver/answers-500-to-malformed-headers',
    title: 'a malformed header gets a 500',
    breaks: ['RCV-015'],
    policy: {
      refusedStatus: (code) => (code.startsWith('malformed_') ? 500 : refusedStatus(code)),
    },
  }),
  defineMutant({
    id: 'receiver/answers-200-to-a-bad-signature',
    title: 'a refusal is logged and answered with 200',
    breaks: ['RCV-005', 'RCV-008', 'RCV-020'],
    policy: { refusedStatus: () => 200 },
  }),
  defineMutant({
    id: 'receiver/refuses-with-a-redirect',
    title: 'a refusal is a redirect to another page',
    breaks: ['RCV-015', 'RCV-021'],
    policy: { refusedStatus: () => 302 },
  }),
  defineMutant({
    id: 'receiver/refuses-duplicates-with-409',
    title: 'an event that was accepted before is answered with 409',
    breaks: ['RCV-012'],
    policy: {
      duplicateStatus: 409,
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-duplicates',
    title: 'a repeated event gets a 500',
    breaks: ['RCV-012'],
    policy: {
      duplicateStatus: 500,
    },
  }),
  defineMutant({
    id: 'receiver/tells-events-by-their-data',
    title: 'an event with type and data of an earlier one counts as a duplicate',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        `const said = JSON.stringify([judged.event?.type, judged.event?.data])
    if (this.#handled.has(said)) return policy.duplicateStatus`,
      ),
      inReceiver('this.#remember(id)', 'this.#remember(JSON.stringify([event?.type, event?.data]))'),
    ],
  }),
  defineMutant({
    id: 'receiver/fails-on-names-beyond-ascii',
    title: "a sender's name outside ASCII gets a 500",
    breaks: ['RCV-009'],
    policy: {
      refusesEvent: (event) => {
        const from = (event['data'] as { from?: unknown } | undefined)?.from
        return typeof from === 'string' && /[^\0-\x7f]/.test(from) ? 500 : undefined
      },
    },
  }),
  defineMutant({
    id: 'receiver/remembers-forged-ids',
    title: 'the id of a forged delivery makes the real one a refused duplicate',
    breaks: ['RCV-012', 'RCV-016'],
    patch: [
      inReceiver(
        'const judged = this.#verified(delivery)',
        `const known = this.#handled.has(delivery.headers['webhook-id'] ?? '')
    this.#remember(delivery.headers['webhook-id'] ?? '')
    const judged = this.#verified(delivery)`,
      ),
      inReceiver('if (this.#handled.has(id)) return policy.duplicateStatus', 'if (known) return 409'),
    ],
  }),
  defineMutant({
    id: 'receiver/redirects',
    title: 'deliveries are redirected',
    breaks: ['RCV-003'],
    policy: { acceptedStatus: 307, answer: () => ({ headers: { location: '/elsewhere' }, body: '' }) },
  }),
  defineMutant({
    id: 'receiver/answers-300',
    title: 'answers deliveries with a status outside 2xx',
    breaks: ['RCV-001'],
    policy: { acceptedStatus: 400 },
  }),
  defineMutant({
    id: 'receiver/refuses-unknown-types',
    title: 'an unknown event type is refused',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: (event) => (knownTypes.has(String(event['type'])) ? undefined : 422),
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-unknown-types',
    title: 'an unknown event type gets a 500',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: (event) => (knownTypes.has(String(event['type'])) ? undefined : 500),
    },
  }),
  defineMutant({
    id: 'receiver/refuses-unknown-fields',
    title: 'an event with an unknown field is refused',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: (event) => (Object.keys(event).every((name) => knownFields.has(name)) ? undefined : 400),
    },
  }),
  defineMutant({
    id: 'receiver/takes-received-mail-only',
    title: 'every type but message.received is refused',
    breaks: ['RCV-013', 'RCV-014'],
    policy: {
      refusesEvent: (event) => (event['type'] === 'message.received' ? undefined : 400),
    },
  }),
  defineMutant({
    id: 'receiver/fails-without-a-message',
    title: 'data without a message_id gets a 500',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: (event) =>
        typeof (event['data'] as { message_id?: unknown } | undefined)?.message_id === 'string' ? undefined : 500,
    },
  }),
  defineMutant({
    id: 'receiver/refuses-empty-subjects',
    title: 'mail without a subject is refused',
    breaks: ['RCV-013'],
    policy: { refusesEvent: ({ data }) => ((data as Data | undefined)?.['subject'] === '' ? 422 : undefined) },
  }),
  defineMutant({
    id: 'receiver/fails-on-several-recipients',
    title: 'a message to several recipients gets a 500',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data }) =>
        (((data as Data | undefined)?.['to'] as unknown[] | undefined)?.length ?? 1) > 1 ? 500 : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/refuses-replies-of-several-lines',
    title: "a remote server's reply of several lines is refused",
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data }) => (/\n/.test(String((data as Data | undefined)?.['response'])) ? 400 : undefined),
    },
  }),
  defineMutant({
    id: 'receiver/wants-numbers-of-a-pause',
    title: 'a pause whose `stats` are empty gets a 500',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data, type }) =>
        type === 'sending.paused' && Object.keys(((data as Data)['stats'] ?? {}) as Data).length === 0
          ? 500
          : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/knows-hard-bounces-alone',
    title: 'a bounce that is not permanent is refused',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data, type }) =>
        type === 'message.bounced' && (data as Data)['permanent'] !== true ? 422 : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/reads-no-whole-seconds',
    title: 'an event at a whole second gets a 500',
    breaks: ['RCV-013'],
    policy: { refusesEvent: ({ timestamp }) => (String(timestamp).endsWith('.000Z') ? 500 : undefined) },
  }),
  defineMutant({
    id: 'receiver/knows-its-statuses',
    title: 'a message whose status differs from its event type is refused',
    breaks: ['RCV-013'],
    policy: {
      refusesEvent: ({ data, type }) =>
        /^message\.(delivered|deferred|bounced|complained)$/.test(String(type)) &&
        `message.${String((data as Data)['status'])}` !== type
          ? 422
          : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/fails-on-unknown-nulls',
    title: 'an unknown field with the value null gets a 500',
    breaks: ['RCV-014'],
    policy: {
      refusesEvent: ({ data }) =>
        Object.entries((data ?? {}) as Data).some(([name, value]) => value === null && name !== 'bounce_classification')
          ? 500
          : undefined,
    },
  }),
  defineMutant({
    id: 'receiver/keeps-255-characters',
    title: 'a sender of more than 255 characters gets a 500',
    breaks: ['RCV-018'],
    policy: {
      refusesEvent: ({ data }) => (String((data as Data | undefined)?.['from'] ?? '').length > 255 ? 500 : undefined),
    },
  }),
  defineMutant({
    id: 'receiver/loses-mail-without-a-subject',
    title: 'mail without a subject is answered with a 2xx, and never handled',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'const handling = this.#handle(id, event)',
        `if (event?.data?.subject === '') return policy.acceptedStatus
    const handling = this.#handle(id, event)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/refuses-large-bodies',
    title: 'a body of more than 32 KB is refused',
    breaks: ['RCV-018'],
    policy: { maxBodyBytes: 32 * 1024 },
  }),
  defineMutant({
    id: 'receiver/reads-no-chunks',
    title: 'a body without a length is read as empty',
    breaks: ['RCV-022'],
    patch: [
      inReceiver(
        'return this.#judge({ headers, body })',
        "return this.#judge({ headers, body: headers['content-length'] === undefined ? Buffer.alloc(0) : body })",
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/locks-up-after-an-attack',
    title: 'after ten refusals in a row everything is refused',
    breaks: ['RCV-016'],
    patch: [
      inReceiver('#handled = new Set()', '#handled = new Set()\n  #refusalsInARow = 0'),
      inReceiver(
        "if (typeof judged === 'number') return judged",
        `if (this.#refusalsInARow >= 10) return 403
    this.#refusalsInARow = typeof judged === 'number' ? this.#refusalsInARow + 1 : 0
    if (typeof judged === 'number') return judged`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/fails-each-event-once',
    title: 'every event is answered with 500 at first, and then as a duplicate',
    breaks: ['RCV-001'],
    patch: [
      inReceiver('#handled = new Set()', '#handled = new Set()\n  #begun = new Set()'),
      inReceiver(
        'const status = await this.#statusOf(request)',
        `const id = request.headers['webhook-id']
    const taken = await this.#statusOf(request)
    const status = taken < 300 && !this.#begun.has(id) ? 500 : taken
    this.#begun.add(id)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/loses-what-it-cannot-do',
    title: 'the work for sending.paused fails with 500, and its retry is dropped as a duplicate',
    breaks: ['RCV-013'],
    patch: [
      inReceiver('#handled = new Set()', '#handled = new Set()\n  #begun = new Set()'),
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        `if (this.#begun.has(id)) return policy.duplicateStatus
    this.#begun.add(id)
    if (judged.event?.type === 'sending.paused') return 500`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/takes-one-at-a-time',
    title: 'a second delivery at once is answered with 503',
    breaks: ['RCV-017'],
    patch: [
      inReceiver('#handled = new Set()', '#handled = new Set()\n  #atOnce = 0'),
      inReceiver(
        'const status = await this.#statusOf(request)',
        `this.#atOnce++
    const status = this.#atOnce > 1 ? 503 : await this.#statusOf(request)
    await new Promise((resolve) => setTimeout(resolve, 20))
    this.#atOnce--`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/answers-too-late',
    title: 'the answer takes more than 10 seconds',
    breaks: ['RCV-002'],
    patch: [
      inReceiver(
        'const status = await this.#statusOf(request)',
        `const status = await this.#statusOf(request)
    await new Promise((resolve) => setTimeout(resolve, 10_500))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/answers-much-too-late',
    title: 'the answer takes 15 seconds',
    breaks: ['RCV-002'],
    patch: [
      inReceiver(
        'const status = await this.#statusOf(request)',
        `const status = await this.#statusOf(request)
    await new Promise((resolve) => setTimeout(resolve, 15_000))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/handles-before-it-verifies',
    title: 'does the work before it checks the signature, then refuses a forgery',
    breaks: ['RCV-024'],
    patch: [
      inReceiver(
        'const judged = this.#verified(delivery)',
        `const asked = delivery.headers['webhook-id'] ?? ''
    if (!this.#handled.has(asked)) await this.#handle(asked, {})
    const judged = this.#verified(delivery)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/handles-what-it-refuses-later',
    title: 'every delivery is put into a queue and handled a second later, refused ones too',
    breaks: ['RCV-024'],
    patch: [
      inReceiver(
        "if (typeof judged === 'number') return judged",
        `if (typeof judged === 'number') {
      setTimeout(() => void this.#handle(delivery.headers['webhook-id'] ?? '', {}), 1_000)
      return judged
    }`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/handles-twice-under-a-race',
    title: 'whether an event was handled is looked up before, and written down after the work',
    breaks: ['RCV-019'],
    patch: [
      inReceiver(
        'const first = this.#handling.get(id)',
        `const first = undefined
    await new Promise((resolve) => setTimeout(resolve, 5))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/handles-every-copy',
    title: 'duplicates are not dropped',
    breaks: ['RCV-019'],
    patch: [inReceiver('if (this.#handled.has(id)) return policy.duplicateStatus', '')],
  }),
  defineMutant({
    id: 'receiver/tells-duplicates-by-their-signature',
    title: 'remembers handled events by signature, which differs for each attempt',
    breaks: ['RCV-019'],
    patch: [
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        `const mark = delivery.headers['webhook-signature'] ?? ''
    if (this.#handled.has(mark)) return policy.duplicateStatus
    this.#remember(mark)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-duplicates-by-their-body',
    title: 'remembers handled events by their bytes',
    breaks: ['RCV-019'],
    patch: [
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        `const mark = delivery.body.toString()
    if (this.#handled.has(mark)) return policy.duplicateStatus
    this.#remember(mark)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-ids-without-their-case',
    title: 'ids that differ only in case count as the same event',
    breaks: ['RCV-025'],
    patch: tellingDuplicatesBy('id.toLowerCase()'),
  }),
  defineMutant({
    id: 'receiver/tells-duplicates-by-their-message',
    title: 'remembers handled events by their message',
    breaks: ['RCV-025'],
    patch: tellingDuplicatesBy('judged.event?.data?.message_id ?? id'),
  }),
  defineMutant({
    id: 'receiver/forgets-after-a-restart',
    title: 'remembers handled events in memory, and restarts after every forty deliveries',
    breaks: ['RCV-019'],
    patch: [
      inReceiver('#handled = new Set()', '#handled = new Set()\n  #served = 0'),
      inReceiver(
        'const judged = this.#verified(delivery)',
        `if (++this.#served % 40 === 0) this.#handled.clear()
    const judged = this.#verified(delivery)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/loses-events-it-took',
    title: 'a delivery is answered at once with a 2xx, and the work is lost',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'const handling = this.#handle(id, event)',
        `this.#remember(id)
    const handling = Promise.resolve(true)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/loses-every-twentieth-event',
    title: 'every twentieth event is answered with a 2xx, and its work is lost',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'const handling = this.#handle(id, event)',
        `this.seen = (this.seen ?? 0) + 1
    if (this.seen % 20 === 0) return policy.acceptedStatus
    const handling = this.#handle(id, event)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/loses-events-side-by-side',
    title: 'works on one event at a time, and loses those that arrive meanwhile',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'const handling = this.#handle(id, event)',
        `const handling =
      this.#handling.size > 0
        ? Promise.resolve(true)
        : new Promise((resolve) => setTimeout(resolve, 20)).then(() => this.#handle(id, event))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/uses-up-a-forged-id',
    title: 'the id of a forged delivery is used up, so the real one is ignored',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'const judged = this.#verified(delivery)',
        `const known = this.#handled.has(delivery.headers['webhook-id'] ?? '')
    this.#remember(delivery.headers['webhook-id'] ?? '')
    const judged = this.#verified(delivery)`,
      ),
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        'if (known) return policy.duplicateStatus',
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/uses-up-the-id-of-a-stale-delivery',
    title: 'a stale delivery is refused, but its event counts as handled',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'this.#settings.onRefused?.(delivery)',
        `this.#settings.onRefused?.(delivery)
      if (error.code === 'too_old') this.#remember(delivery.headers['webhook-id'] ?? '')`,
      ),
    ],
  }),
  ...(
    [
      ['chunked', 'a body in chunks', "delivery.headers['transfer-encoding'] !== undefined"],
      ['large', 'a body of more than 100 KB', 'delivery.body.length > 102_400'],
      ['minute-old', 'a delivery that is older than a minute', secondsOld('> 60')],
    ] as const
  ).map(([name, what, condition]) =>
    defineMutant({
      id: `receiver/loses-${name}-deliveries`,
      title: `${what} is answered with a 2xx, and its event never handled`,
      breaks: ['RCV-025'],
      patch: [
        inReceiver(
          'const first = this.#handling.get(id)',
          `if (${condition}) return policy.acceptedStatus
    const first = this.#handling.get(id)`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'receiver/verifies-an-event-once',
    title: 'does not verify a delivery whose id is known',
    breaks: ['RCV-005', 'RCV-006', 'RCV-008'],
    patch: [
      inReceiver(
        'const judged = this.#verified(delivery)',
        `if (this.#handled.has(delivery.headers['webhook-id'])) return policy.duplicateStatus
    const judged = this.#verified(delivery)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/looks-at-five-entries',
    title: 'entries after the fifth are ignored',
    breaks: ['RCV-010'],
    patch: [verifierPatch('entries', `signature.split(' ').slice(0, 5)`)],
  }),
  defineMutant({
    id: 'receiver/looks-at-three-different-entries',
    title: 'only the first three distinct entries are checked',
    breaks: ['RCV-010'],
    patch: [verifierPatch('entries', `[...new Set(signature.split(' '))].slice(0, 3)`)],
  }),
  defineMutant({
    id: 'receiver/reads-other-forms-of-entries',
    title: 'accepts entries with a capital V, or an equals sign instead of the comma',
    breaks: ['RCV-011'],
    patch: [
      verifierPatch('values', `entries.filter((entry) => /^v1[,=]/i.test(entry)).map((entry) => entry.slice(3))`),
    ],
  }),
  defineMutant({
    id: 'receiver/reads-the-names-of-another-family',
    title: 'the headers are read under their older names too',
    breaks: ['RCV-029'],
    patch: [
      verifierPatch(
        'header',
        `const value = headerOf(headers, name) ?? headerOf(headers, name.replace('webhook', 'svix'))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/reads-base64url',
    title: 'a signature in base64url matches',
    breaks: ['RCV-027'],
    patch: [verifierPatch('entries', `signature.replaceAll('-', '+').replaceAll('_', '/').split(' ')`)],
  }),
  defineMutant({
    id: 'receiver/signs-a-missing-id-as-nothing',
    title: 'an id that is missing stands for an empty one',
    breaks: ['RCV-004'],
    patch: [
      verifierPatch(
        'missing',
        `if (value === undefined && name === 'webhook-id') return ''
  if (value === undefined || value === '')`,
      ),
    ],
  }),
  ...(
    [
      ['takes-sha-1', 'a MAC with SHA-1', 'sha1', ''],
      ['takes-md5', 'a MAC with MD5', 'md5', ''],
      ['takes-sha-384', 'a MAC with SHA-384', 'sha384', ''],
      ['takes-sha-512-256', 'a MAC with SHA-512/256', 'sha512-256', ''],
      ['takes-sha3-256', 'a MAC with SHA3-256', 'sha3-256', ''],
      ['takes-half-of-sha-512', 'the first half of a MAC with SHA-512', 'sha512', '.subarray(0, 32)'],
    ] as const
  ).map(([name, what, hash, part]) =>
    defineMutant({
      id: `receiver/${name}`,
      title: `${what} matches too`,
      breaks: ['RCV-005'],
      patch: [
        verifierPatch(
          'match',
          `const older = createHmac('${hash}', key).update(id + '.' + timestamp + '.').update(body).digest()${part}.toString('base64')
    if (values.some((value) => isEqual(value, mac) || isEqual(value, older))) return`,
        ),
      ],
    }),
  ),
  ...(
    [
      [
        'takes-what-is-signed-without-stops',
        'without the stops between its parts',
        'update(id + timestamp).update(body)',
      ],
      ['takes-what-is-signed-without-its-body', 'without its body', "update(id + '.' + timestamp)"],
    ] as const
  ).map(([name, how, signed]) =>
    defineMutant({
      id: `receiver/${name}`,
      title: `a delivery that is signed ${how} is accepted too`,
      breaks: ['RCV-008'],
      patch: [
        verifierPatch(
          'match',
          `const older = createHmac('sha256', key).${signed}.digest('base64')
    if (values.some((value) => isEqual(value, mac) || isEqual(value, older))) return`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'receiver/looks-at-every-version-beside-v1',
    title: 'if one entry is v1, entries of every version are compared',
    breaks: ['RCV-011'],
    patch: [
      verifierPatch(
        'match',
        `if ([...values, ...signature.split(' ').map((entry) => entry.slice(entry.indexOf(',') + 1))].some((value) => isEqual(value, mac))) return`,
      ),
    ],
  }),
  ...(
    [
      ['takes-unsigned-changes-of-sending', 'a change of sending', "body.includes('sending.')"],
      ['takes-what-is-large-without-a-signature', 'a body of more than 30,000 bytes', 'body.length > 30_000'],
    ] as const
  ).map(([name, what, condition]) =>
    defineMutant({
      id: `receiver/${name}`,
      title: `${what} has a second way in that needs no signature header`,
      breaks: ['RCV-004'],
      patch: [
        inReceiver(
          'return { event: verifyWebhook({',
          `if (headers['webhook-signature'] === undefined && ${condition}) return { event: JSON.parse(String(body)) }
      return { event: verifyWebhook({`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'receiver/takes-what-was-kept-for-weeks',
    title: 'accepts a delivery that is more than a week old, as part of a backlog',
    breaks: ['RCV-006'],
    patch: [verifierPatch('past', 'if (age > toleranceSeconds && !(age > 604_800 && age < 31_536_000))')],
  }),
  defineMutant({
    id: 'receiver/verifies-not-every-type',
    title: 'complaints are handled by other code, which verifies nothing',
    breaks: ['RCV-005'],
    patch: [verifyingOnlyIf("!body.includes('message.complained')")],
  }),
  ...([50_000, 200_000] as const).map((bytes) =>
    defineMutant({
      id: `receiver/verifies-less-than-${bytes}-bytes`,
      title: `a body of ${bytes} bytes or more is not verified`,
      breaks: ['RCV-008'],
      patch: [verifyingOnlyIf(`body.length < ${bytes}`)],
    }),
  ),
  defineMutant({
    id: 'receiver/reads-dates',
    title: 'a timestamp may be a date',
    breaks: ['RCV-031'],
    patch: [
      verifierPatch(
        'seconds',
        `if (timestamp.includes(':')) return Math.floor(Date.parse(timestamp) / 1000)
  if (/^(?:0|[1-9]\\d{0,11})$/.test(timestamp)) return Number(timestamp)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/folds-ids',
    title: 'the id is signed in lower case',
    breaks: ['RCV-001'],
    patch: [verifierPatch('signed', '`${id.toLowerCase()}.${timestamp}.`')],
  }),
  defineMutant({
    id: 'receiver/verifies-text',
    title: 'the body is decoded, and its text verified',
    breaks: ['RCV-030'],
    patch: [verifyingBytes('new TextDecoder().decode(body)')],
  }),
  defineMutant({
    id: 'receiver/forgets-after-three-seconds',
    title: 'remembers handled events for three seconds',
    breaks: ['RCV-019'],
    patch: [
      inReceiver('this.#remember(id)', 'this.#remember(id)\n      setTimeout(() => this.#handled.delete(id), 3_000)'),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-duplicates-by-type-and-message',
    title: 'an event of the same type and message counts as a duplicate',
    breaks: ['RCV-025'],
    patch: [
      inReceiver(
        'const first = this.#handling.get(id)',
        `const mark = JSON.stringify([event['type'], event['data']?.['message_id'] ?? id])
    if (this.#handled.has(mark)) return policy.duplicateStatus
    this.#remember(mark)
    const first = this.#handling.get(id)`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/trusts-a-connection',
    title: 'after one verified delivery, later ones on the same connection are not verified',
    breaks: ['RCV-005', 'RCV-008'],
    patch: [
      inReceiver(
        'return this.#judge({ headers, body })',
        'return this.#judge({ headers, body, socket: request.socket })',
      ),
      verifyingOnlyIf('delivery.socket.isTrusted !== true'),
      inReceiver(
        'const { event } = judged',
        `delivery.socket.isTrusted = true
    const { event } = judged`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/forgets-what-was-forged',
    title: 'a refusal forgets the id, even of an event handled before',
    breaks: ['RCV-019'],
    patch: [
      inReceiver(
        "if (typeof judged === 'number') return judged",
        `if (typeof judged === 'number') {
      this.#handled.delete(delivery.headers['webhook-id'] ?? '')
      return judged
    }`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/leaves-refused-bodies-unread',
    title: 'refuses a delivery without a header before it reads the body, which spoils the next',
    breaks: ['RCV-001'],
    patch: [
      inReceiver(
        'return this.#judge({ headers, body })',
        `if (request.socket['isOutOfStep'] === true) return 400
    if (headers['webhook-id'] === undefined) request.socket['isOutOfStep'] = true
    return this.#judge({ headers, body })`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/verifies-json-alone',
    title: 'verifies only bodies of one content type',
    breaks: ['RCV-005'],
    patch: [verifyingOnlyIf("/^application\\/json\\b/.test(headers['content-type'] ?? 'application/json')")],
  }),
  defineMutant({
    id: 'receiver/trusts-its-own-network',
    title: 'skips verification if a proxy header names the local network',
    breaks: ['RCV-005'],
    patch: [verifyingOnlyIf("!/^(127|10)[.]/.test(headers['x-forwarded-for'] ?? '')")],
  }),
  defineMutant({
    id: 'receiver/verifies-plain-bodies-alone',
    title: 'a body that is coded is not verified',
    breaks: ['RCV-005', 'RCV-008'],
    patch: [verifyingOnlyIf("headers['content-encoding'] === undefined")],
  }),
  defineMutant({
    id: 'receiver/decodes-piece-by-piece',
    title: 'decodes each piece of a body as text, which spoils split characters',
    breaks: ['RCV-009'],
    patch: [
      {
        file: 'receiver/body.ts',
        find: 'if (length <= maxBytes) chunks.push(chunk)',
        replace: "if (length <= maxBytes) chunks.push(Buffer.from(chunk.toString('utf8')))",
      },
    ],
  }),
  defineMutant({
    id: 'receiver/reads-the-first-piece',
    title: 'reads only the first chunk of the body',
    breaks: ['RCV-009'],
    patch: [
      {
        file: 'receiver/body.ts',
        find: 'if (length <= maxBytes) chunks.push(chunk)',
        replace: 'if (length <= maxBytes && chunks.length === 0) chunks.push(chunk)',
      },
    ],
  }),
  defineMutant({
    id: 'receiver/reads-header-names-as-written',
    title: 'headers are found only if their names were sent in lower case',
    breaks: ['RCV-001'],
    patch: [
      inReceiver(
        'const headers = request.headers',
        `const headers = Object.fromEntries(
      request.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 && name === name.toLowerCase() ? [[name, all[index + 1]]] : [],
      ),
    )`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-the-right-signature',
    title: 'reveals the expected signature in the answer to a forgery',
    breaks: ['RCV-026'],
    patch: [
      ...knowingTheExpected,
      inReceiver('policy.answer(status)', "{ ...policy.answer(status), body: answer.message ?? '' }"),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-the-right-signature-in-a-header',
    title: 'reveals the expected signature in a header of the answer to a forgery',
    breaks: ['RCV-026'],
    patch: [
      ...knowingTheExpected,
      inReceiver(
        'policy.answer(status)',
        "{ ...policy.answer(status), headers: { ...policy.answer(status).headers, 'x-expected': answer.message ?? '' } }",
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/insists-on-no-charset',
    title: 'a content type with a charset is refused',
    breaks: ['RCV-028'],
    policy: {
      refusesEvent: (_event, { headers }) => (/charset/.test(headers['content-type'] ?? '') ? 415 : undefined),
    },
  }),
  defineMutant({
    id: 'receiver/dies-of-a-missing-header',
    title: 'a delivery without a signature crashes the server',
    breaks: ['RCV-004', 'RCV-001'],
    patch: [
      inReceiver(
        'const headers = request.headers',
        `if (request.headers['webhook-signature'] === undefined) {
      request.socket['server'].close()
      request.socket.destroy()
      return undefined
    }
    const headers = request.headers`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/loses-a-connection-with-each-refusal',
    title: 'leaks a database connection per refusal; hangs after twenty',
    breaks: ['RCV-002'],
    patch: [
      {
        file: 'receiver/receiver.ts',
        find: 'const status = await this.#statusOf(request)',
        replace: `if ((this.refusals ?? 0) >= 20) return
const status = await this.#statusOf(request)
if (status >= 300) this.refusals = (this.refusals ?? 0) + 1`,
      },
    ],
  }),
  defineMutant({
    id: 'receiver/looks-at-the-last-entries',
    title: 'all but the last five entries are ignored',
    breaks: ['RCV-010'],
    patch: [verifierPatch('entries', `signature.split(' ').slice(-5)`)],
  }),
  defineMutant({
    id: 'receiver/reads-the-time-of-received-mail-alone',
    title: 'the timestamp is checked for message.received only',
    breaks: ['RCV-006', 'RCV-007'],
    patch: [
      inReceiver(
        'const clock = now === undefined ? {} : { now: now() }',
        "const clock = body.includes('message.received') ? {} : { now: Number(headers['webhook-timestamp']) }",
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/remembers-good-signatures',
    title: 'a signature header that matched once is accepted with any other delivery',
    breaks: ['RCV-024', 'RCV-008'],
    patch: [
      verifyingOnlyIf("!Receiver.good?.has(headers['webhook-signature'])"),
      inReceiver(
        "const id = delivery.headers['webhook-id'] ?? ''",
        `const id = delivery.headers['webhook-id'] ?? ''
    Receiver.good ??= new Set()
    Receiver.good.add(delivery.headers['webhook-signature'])`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/handles-changes-of-sending-twice',
    title: 'drops duplicates of mail events only',
    breaks: ['RCV-019'],
    patch: [
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        "if (this.#handled.has(id) && !String(judged.event?.type).startsWith('sending.')) return policy.duplicateStatus",
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-duplicates-of-other-types-by-attempt',
    title: 'a repeat that is signed again counts as new, except for message.received',
    breaks: ['RCV-019'],
    patch: tellingDuplicatesBy(
      "judged.event?.type === 'message.received' ? id : `${id} ${delivery.headers['webhook-timestamp']}`",
    ),
  }),
  defineMutant({
    id: 'receiver/remembers-for-five-minutes-of-the-clock',
    title: 'remembers handled events by id and five minute window',
    breaks: ['RCV-019'],
    patch: tellingDuplicatesBy("`${id} ${Math.floor(Number(delivery.headers['webhook-timestamp']) / 300)}`"),
  }),
  defineMutant({
    id: 'receiver/conflicts-over-changes-of-sending',
    title: 'answers a repeated change of sending with a conflict',
    breaks: ['RCV-012'],
    patch: [
      inReceiver(
        'if (this.#handled.has(id)) return policy.duplicateStatus',
        "if (this.#handled.has(id)) return String(judged.event?.type).startsWith('sending.') ? 409 : policy.duplicateStatus",
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-everybody-of-a-resumption',
    title: 'informs every customer of sending.resumed before it answers, for over 10 seconds',
    breaks: ['RCV-002'],
    patch: [
      inReceiver(
        'const { event } = judged',
        `const { event } = judged
    if (event?.type === 'sending.resumed') await new Promise((resolve) => setTimeout(resolve, 10_500))`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/dies-of-a-delivery-that-breaks-off',
    title: 'a connection that ends inside a body crashes the server',
    breaks: ['RCV-001'],
    patch: [
      inReceiver(
        "if (body === 'gone') return undefined",
        `if (body === 'gone') {
      const { server } = request.socket
      server.close()
      server.closeAllConnections()
      return undefined
    }`,
      ),
    ],
  }),
  ...(
    [
      ['forgets-to-unlock-what-broke-off', 'a broken connection leaves its id locked', ''],
      [
        'locks-ids-before-it-verifies',
        'a concurrent forged delivery locks the id, and the valid one is lost',
        'locked.delete(id)',
      ],
    ] as const
  ).map(([name, title, ifGone]) =>
    defineMutant({
      id: `receiver/${name}`,
      title,
      breaks: ['RCV-025'],
      patch: [
        inReceiver(
          'const body = await readBody(request, policy.maxBodyBytes)',
          `const id = request.headers['webhook-id'] ?? ''
    const locked = (this.locked ??= new Set())
    if (id !== '' && locked.has(id)) {
      request.resume()
      return policy.duplicateStatus
    }
    locked.add(id)
    const body = await readBody(request, policy.maxBodyBytes)
    if (body === 'gone') { ${ifGone} } else locked.delete(id)`,
        ),
      ],
    }),
  ),
  defineMutant({
    id: 'receiver/compares-by-a-pattern',
    title: 'the signature is used as a regular expression, where a plus has another meaning',
    breaks: ['RCV-001'],
    patch: [
      {
        file: 'verifier/verifier.ts',
        find: 'left.length === right.length && timingSafeEqual(left, right)',
        replace: "new RegExp('^' + mac + '$').test(value)",
      },
    ],
  }),
  defineMutant({
    id: 'receiver/stops-at-a-zero-byte',
    title: 'the body is a text that ends with a zero byte',
    breaks: ['RCV-008'],
    patch: [verifyingBytes('body.includes(0) ? body.subarray(0, body.indexOf(0)) : body')],
  }),
  defineMutant({
    id: 'receiver/drops-what-is-no-text',
    title: 'drops invalid UTF-8 bytes before it verifies the body',
    breaks: ['RCV-030'],
    patch: [verifyingBytes("body.toString('utf8').replaceAll('\\uFFFD', '')")],
  }),
  defineMutant({
    id: 'receiver/stores-no-zero-character',
    title: 'a subject with a NUL character gets a 500',
    breaks: ['RCV-013'],
    patch: [
      inReceiver(
        'const { event } = judged',
        `const { event } = judged
    if (String(event?.data?.subject).includes('\\0')) return 500`,
      ),
    ],
  }),
  defineMutant({
    id: 'receiver/tells-ids-by-their-last-part',
    title: 'identifies an event by the part of its id after the last hyphen',
    breaks: ['RCV-025'],
    patch: tellingDuplicatesBy("id.slice(id.lastIndexOf('-') + 1)"),
  }),
  defineMutant({
    id: 'receiver/keeps-40-characters-of-ids',
    title: 'cuts ids to a column of 40 characters',
    breaks: ['RCV-025'],
    patch: tellingDuplicatesBy('id.slice(0, 40)'),
  }),
]
