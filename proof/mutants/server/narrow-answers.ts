import { patchesOfServer, type Patch } from '../define.js'

const attempt = 'server/engine/attempt.ts'
const attempts = 'server/engine/attempts.ts'
const egress = 'server/egress/egress.ts'
const list = 'server/api/routes-deliveries.ts'
const nextState = 'server/engine/next-state.ts'
const store = 'server/store/delivery-store.ts'
const webhooks = 'server/api/routes-webhooks.ts'

const listed = 'deliveries.list(webhook.id, limit).map((delivery) => policy.shownDelivery(delivery))'

/** Rejects a 2xx if `condition` holds for its `headers`, or for its `type`. */
function fails(condition: string): Patch {
  return {
    file: egress,
    find: 'const chunks = []',
    replace: `const { headers } = answer
const type = String(headers['content-type'] ?? '')
if (answer.statusCode < 300 && (${condition})) throw new Error('answer not understood')
const chunks = []`,
  }
}

/** Makes the next attempt after a delete if `condition` holds for the outcome of the one in flight. */
function goesOnAfter(condition: string): Patch {
  const find = 'const isWebhookDeleted = webhooks.get(due.webhookId)?.isDeleted !== false'
  return { file: attempts, find, replace: `${find} && !(${condition})` }
}

const pending =
  "update deliveries set status = ?, due_at = null, next_attempt_at = null where webhook_id = ? and status = 'pending'"

/** Deviations that depend on the consumer's answer, besides its status, and on its time. */
export const narrowAnswerMutants = patchesOfServer([
  [
    'takes-a-success-with-a-location-for-a-redirect',
    'an answer with a Location is a redirect, whatever its status',
    ['DLV-005', 'DLV-006'],
    fails('headers.location'),
  ],
  [
    'asks-again-where-a-success-has-a-retry-after',
    'treats an answer with a Retry-After as a failure, whatever its status',
    ['DLV-005', 'DLV-006'],
    fails("headers['retry-after']"),
  ],
  [
    'fails-on-a-charset-it-does-not-know',
    'treats a 2xx with an unknown charset as a failure',
    ['DLV-005', 'DLV-006'],
    fails('/charset=(?!utf-?8|us-ascii|iso-8859-)/i.test(type)'),
  ],
  [
    'takes-an-answer-without-a-length-for-a-cut-one',
    'treats an answer that ends with its connection as a failure',
    ['DLV-005', 'DLV-006'],
    fails(
      "headers['content-length'] === undefined && headers['transfer-encoding'] === undefined && answer.statusCode !== 204",
    ),
  ],
  [
    'takes-a-page-for-an-error',
    'a 2xx with HTML is the page of a proxy, and no success',
    ['DLV-005', 'DLV-006'],
    fails('/html/.test(type)'),
  ],
  [
    'parses-an-empty-answer-as-json',
    'treats a 2xx marked as JSON with an empty body as a failure',
    ['DLV-005', 'DLV-006'],
    fails("/json/.test(type) && headers['content-length'] === '0'"),
  ],
  [
    'keeps-no-snippet-of-a-page',
    'the body of an answer in HTML is not kept',
    ['DLV-019'],
    {
      file: egress,
      find: 'chunks.push(chunk)',
      replace: "if (!/html/.test(String(answer.headers['content-type']))) chunks.push(chunk)",
    },
  ],
  [
    'keeps-no-snippet-of-what-is-neither-text-nor-json',
    'the body of an answer is kept only if its type is text or JSON',
    ['DLV-019'],
    {
      file: egress,
      find: 'chunks.push(chunk)',
      replace: "if (/text|json/.test(answer.headers['content-type'] ?? 'text')) chunks.push(chunk)",
    },
  ],
  [
    'obeys-a-retry-after-that-is-a-date',
    'a Retry-After with a date replaces an earlier time of the schedule',
    ['RTY-012'],
    {
      file: egress,
      find: 'status: answer.statusCode',
      replace: "status: answer.statusCode, after: Date.parse(answer.headers['retry-after'] ?? '')",
    },
    {
      file: attempt,
      find: 'const { status, body: answered } = await',
      replace: 'const { status, body: answered, after } = await',
    },
    { file: attempt, find: "return { kind: 'answer', status,", replace: "return { kind: 'answer', after, status," },
    {
      file: nextState,
      find: 'nextAttemptAt: origin + delayMs',
      replace: 'nextAttemptAt: Math.max(origin + delayMs, outcome.after > 1e12 ? outcome.after : 0)',
    },
  ],
  [
    'goes-on-after-no-answer-in-flight-at-a-delete',
    'continues after a delete if the attempt in flight gets no answer in time',
    ['WHK-015'],
    goesOnAfter("outcome.kind === 'timeout'"),
  ],
  [
    'goes-on-after-a-break-in-flight-at-a-delete',
    'an attempt in flight at the delete is retried if its connection breaks',
    ['WHK-015'],
    goesOnAfter("outcome.kind === 'connection'"),
  ],
  [
    'stops-fifty-deliveries-at-a-delete',
    'a delete stops the first fifty of the deliveries that wait',
    ['WHK-015'],
    {
      file: store,
      find: `\`${pending}\``,
      replace: `\`${pending} and seq in (select seq from deliveries where webhook_id = ?2 and status = 'pending' order by seq limit 50)\``,
    },
  ],
  [
    'stops-a-hundred-deliveries-at-a-delete',
    'a delete stops the first hundred of the deliveries that wait',
    ['WHK-015'],
    {
      file: store,
      find: `\`${pending}\``,
      replace: `\`${pending} and seq in (select seq from deliveries where webhook_id = ?2 and status = 'pending' order by seq limit 100)\``,
    },
  ],
  [
    'retries-a-blocked-delivery-once',
    'a blocked first attempt is attempted once more',
    ['NET-008', 'NET-009'],
    {
      file: nextState,
      find: 'if (!rules.isRetried(outcome)) {',
      replace: "if (!rules.isRetried(outcome) && !(outcome.kind === 'blocked' && attempt === 1)) {",
    },
  ],
  [
    'lists-deliveries-by-event',
    'lists deliveries by event, so a replay is next to its original',
    ['DLV-012'],
    {
      file: store,
      find: '`select ${columns} from deliveries where webhook_id = ? order by seq desc limit ?`',
      replace: '`select ${columns} from deliveries where webhook_id = ? order by event_id desc, seq desc limit ?`',
    },
  ],
  [
    'lists-the-history-of-a-deleted-webhook-oldest-first',
    'the deliveries of a deleted webhook are listed from the archive, the oldest first',
    ['DLV-012'],
    { file: list, find: listed, replace: `${listed}\nif (webhook.isDeleted) items.reverse()` },
  ],
  [
    'forgets-what-a-replay-repeats-at-a-delete',
    'the replays of a deleted webhook are listed without replay_of',
    ['WHK-016'],
    {
      file: list,
      find: listed,
      replace: listed.replace('(delivery))', '(webhook.isDeleted ? { ...delivery, replayOf: null } : delivery))'),
    },
  ],
  [
    'shows-the-secret-of-a-webhook-read-alone',
    'a webhook can be read alone, and is shown as when it was created',
    ['WHK-013'],
    {
      file: webhooks,
      find: '{ DELETE: remove }',
      replace:
        '{ DELETE: remove, GET: (c) => reply({ status: 200, body: policy.createdWebhook(findWebhook(c, services)) }) }',
    },
  ],
])
