import type { Patch } from '../patching/patch.js'
import { receiverPolicy, type DeliveryView, type ReceiverPolicy } from '../../reference/receiver/index.js'
import type { Variant } from './variant.js'
import { verifierVariants } from './verifier.js'

function variant(id: string, title: string, policy: Partial<ReceiverPolicy>): Variant<'receiver'> {
  return { id: `receiver/${id}`, title, openPoints: [], policy }
}

function patchedVariant(id: string, title: string, patch: readonly Patch[]): Variant<'receiver'> {
  return { id: `receiver/${id}`, title, openPoints: [], policy: {}, patch }
}

const header = (name: string, value: string) => ({ headers: { [name]: value }, body: '' })

/** Variants of the verifier that a sender's headers can distinguish; the others are its own. */
const seenFromOutside: readonly string[] = [
  'verifier/reads-leading-digits',
  'verifier/trims-headers',
  'verifier/splits-at-any-blank',
  'verifier/compares-bytes',
]

/** The form of each field in the interface: its prefix, its format, or that it is an address, a text, a list or a boolean. */
const reported: Readonly<Record<string, (value: unknown) => boolean>> = {
  message_id: (value) => String(value).startsWith('msg_'),
  inbox_id: (value) => String(value).startsWith('ibx_'),
  thread_id: (value) => String(value).startsWith('thr_'),
  from: (value) => /[^\s@<>]+@[^\s@<>]+\.[a-z]+>?$/.test(String(value)),
  to: (value) => Array.isArray(value) && value.length > 0 && value.every(isAddress),
  cc: (value) => Array.isArray(value) && value.every(isAddress),
  subject: isText,
  recipient: isAddress,
  response: (value) => isText(value) && value !== '',
  permanent: (value) => typeof value === 'boolean',
  status: (value) => isText(value) && value !== '',
  workspace_id: (value) => isText(value) && value !== '',
  reason: (value) => isText(value) && value !== '',
  paused_at: isMoment,
  stats: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'message.received': ['message_id', 'inbox_id', 'thread_id', 'from', 'subject'],
  'message.queued': ['message_id', 'inbox_id', 'thread_id', 'to', 'cc', 'subject'],
  ...Object.fromEntries(
    ['delivered', 'deferred', 'bounced', 'complained'].map((kind) => [
      `message.${kind}`,
      ['message_id', 'inbox_id', 'thread_id', 'recipient', 'response', 'permanent', 'status'],
    ]),
  ),
  'sending.paused': ['workspace_id', 'status', 'reason', 'paused_at', 'stats'],
  'sending.resumed': ['workspace_id', 'status'],
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isAddress(value: unknown): boolean {
  return /^[A-Za-z0-9._+-]+@([a-z0-9-]+\.)+[a-z]+$/.test(String(value))
}

function isMoment(value: unknown): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)) && Date.parse(String(value)) <= Date.now() + 60_000
  )
}

function isAsTold(event: Readonly<Record<string, unknown>>): boolean {
  const { id, type, timestamp } = event
  const data = event['data'] as Readonly<Record<string, unknown>> | undefined
  if (!String(id).startsWith('evt_') || !isMoment(timestamp) || typeof data !== 'object') return false
  if (type === 'message.failed' && 'reason' in data) return reported['reason']?.(data['reason']) === true
  return (fieldsOf[String(type)] ?? []).every((name) => reported[name]?.(data[name]) === true)
}

/** Conforming alternatives of the reference receiver: any 2xx accepts, and how it refuses is its own affair. */
export const receiverVariants: readonly Variant<'receiver'>[] = [
  variant('accepts-with-200', 'a delivery is answered with 200, a duplicate with 208', {
    acceptedStatus: 200,
    duplicateStatus: 208,
  }),
  variant('accepts-with-201', 'a delivery is answered with 201, a duplicate with 204', {
    acceptedStatus: 201,
    duplicateStatus: 204,
  }),
  variant('accepts-with-202', 'a delivery and a duplicate are answered with 202', {
    acceptedStatus: 202,
    duplicateStatus: 202,
  }),
  variant('accepts-with-299', 'a delivery is answered with a 2xx that has no name', { acceptedStatus: 299 }),
  ...[400, 401, 403, 422].map((status) =>
    variant(`refuses-with-${status}`, `answers every invalid delivery with ${status}`, {
      refusedStatus: () => status,
    }),
  ),
  variant('answers-with-a-body', 'an answer has a body of JSON', {
    acceptedStatus: 200,
    answer: (status) => ({
      headers: { 'content-type': 'application/json', 'x-request-id': 'req_1' },
      body: JSON.stringify({ received: status < 300, error: status < 300 ? null : 'nope' }),
    }),
  }),
  variant('answers-with-a-page', 'an answer has a body of 200 KB', {
    acceptedStatus: 200,
    answer: () => ({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: `<p>${'x'.repeat(200_000)}</p>` }),
  }),
  patchedVariant('names-what-came', 'the answer to a forged delivery contains the received entries', [
    {
      file: 'receiver/receiver.ts',
      find: 'return error instanceof WebhookVerificationError ? policy.refusedStatus(error.code) : 500',
      replace: `answer.came = headers['webhook-signature']
      return error instanceof WebhookVerificationError ? policy.refusedStatus(error.code) : 500`,
    },
    {
      file: 'receiver/receiver.ts',
      find: 'policy.answer(status)',
      replace: "{ ...policy.answer(status), body: 'no match for ' + (answer.came ?? '') }",
    },
  ]),
  variant('closes-connections', 'the connection is closed after each answer', {
    answer: () => header('connection', 'close'),
  }),
  variant('sends-cookies', 'an answer has headers that mean nothing to a sender', {
    answer: () => header('set-cookie', 'session=1; Path=/; HttpOnly'),
  }),
  patchedVariant('takes-its-time', 'an answer takes a while, far within the 10 seconds', [
    {
      file: 'receiver/receiver.ts',
      find: 'const status = await this.#statusOf(request)',
      replace: `const status = await this.#statusOf(request)
    await new Promise((resolve) => setTimeout(resolve, 150))`,
    },
  ]),
  {
    ...patchedVariant('loses-a-connection-now-and-then', 'one connection in thirty is cut without an answer', [
      {
        file: 'receiver/receiver.ts',
        find: 'const status = await this.#statusOf(request)',
        replace: `const status = await this.#statusOf(request)
    Receiver.taken = (Receiver.taken ?? 0) + 1
    if (Receiver.taken % 30 === 0) return void request.socket.destroy()`,
      },
    ]),
    ignores: ['RCV-015', 'RCV-016', 'RCV-017', 'RCV-021'],
  },
  {
    ...patchedVariant(
      'fails-now-and-then',
      'one delivery in thirty is answered with 500, and handled when it is sent again',
      [
        {
          file: 'receiver/receiver.ts',
          find: 'const status = await this.#statusOf(request)',
          replace: `Receiver.asked = (Receiver.asked ?? 0) + 1
    const status = Receiver.asked % 30 === 0 ? 500 : await this.#statusOf(request)`,
        },
      ],
    ),
    ignores: ['RCV-015', 'RCV-016', 'RCV-017', 'RCV-021'],
  },
  variant('takes-100-kb', 'a body of more than 100 KB is refused with 413', { maxBodyBytes: 100 * 1024 }),
  {
    ...variant('takes-32-kb', 'a body of more than 32 KB is refused with 413', { maxBodyBytes: 32 * 1024 }),
    ignores: ['RCV-018'],
  },
  {
    ...variant('refuses-with-500', 'answers every invalid delivery with 500, like a handler that throws', {
      refusedStatus: () => 500,
    }),
    openPoints: ['receiver-refusal'],
    ignores: ['RCV-015', 'RCV-021'],
  },
  ...[404, 406, 409, 418].map((status): Variant<'receiver'> => ({
    ...variant(`refuses-with-${status}`, `answers every invalid delivery with ${status}`, {
      refusedStatus: () => status,
    }),
    openPoints: ['receiver-refusal'],
  })),
  {
    ...variant('drops-forgeries', 'drops invalid deliveries, and answers them with 200', {
      refusedStatus: () => 200,
    }),
    openPoints: ['receiver-refusal'],
    ignores: ['RCV-015', 'RCV-021'],
  },
  {
    ...patchedVariant('hangs-up-on-forgeries', 'closes the connection of an invalid delivery without an answer', [
      {
        file: 'receiver/receiver.ts',
        find: 'const status = await this.#statusOf(request)',
        replace: `const status = await this.#statusOf(request)
    if (status >= 400 && status !== 413) return void request.socket.destroy()`,
      },
    ]),
    openPoints: ['receiver-refusal'],
    ignores: ['RCV-015', 'RCV-021'],
  },
  variant('insists-on-one-id', 'an event whose id is not that of its header is refused', {
    refusesEvent: (event, { headers }: DeliveryView) => (event['id'] === headers['webhook-id'] ? undefined : 400),
  }),
  variant('checks-what-it-is-told', 'checks the fields of an event against the interface', {
    refusesEvent: (event) => (isAsTold(event) ? undefined : 422),
  }),
  variant('insists-on-json', 'refuses a delivery without a JSON content type with 415', {
    refusesEvent: (_event, { headers }: DeliveryView) =>
      /^application\/json\b/.test(headers['content-type'] ?? '') ? undefined : 415,
  }),
  variant('remembers-nothing', 'a duplicate is handled again', { duplicateStatus: receiverPolicy.acceptedStatus }),
  ...verifierVariants
    .filter(({ id }) => seenFromOutside.includes(id))
    .map(({ id, title, patch = [], openPoints, ignores = [] }): Variant<'receiver'> => ({
      ...patchedVariant(id.replace('verifier/', ''), title, patch),
      openPoints,
      ignores: ignores.includes('VFY-021') ? ['RCV-027'] : [],
    })),
]
