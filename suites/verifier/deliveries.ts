import {
  keyOf,
  macOf,
  newSecret,
  sign,
  hmac,
  type Checks,
  type Decision,
  type VerifierContext,
  type VerifierVerdict,
  type VerifyRequest,
} from '../../harness/authoring.js'

/** A clock well inside every integer a library may use. */
export const testClock = 1_800_000_000

/** A valid delivery of a small event, signed at {@link testClock}. */
export function delivery(
  mark: string,
  changes: { secret?: string; id?: string; timestamp?: number; payload?: Uint8Array } = {},
): VerifyRequest {
  const secret = changes.secret ?? newSecret()
  const id = changes.id ?? `evt_${mark}`
  const timestamp = changes.timestamp ?? testClock
  const payload = changes.payload ?? Buffer.from(eventText(id, mark))
  const signature = sign(secret, { id, timestamp, body: payload })
  return {
    secret,
    payload,
    now: testClock,
    headers: { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
  }
}

/** The JSON text of a small event. */
export function eventText(id: string, mark: string): string {
  const data = {
    message_id: `msg_${mark}`,
    inbox_id: 'ibx_1',
    thread_id: 'thr_1',
    from: 'a@b.example',
    subject: `Hello ${mark}`,
  }
  return JSON.stringify({ id, type: 'message.received', timestamp: '2026-01-02T03:04:05.678Z', data })
}

/** The same delivery with other headers; undefined leaves one out. */
export function withHeaders(
  request: VerifyRequest,
  changes: Readonly<Record<string, string | undefined>>,
): VerifyRequest {
  const headers = Object.fromEntries(
    Object.entries({ ...request.headers, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
  return { ...request, headers }
}

type Judge = Pick<VerifierContext, 'verify' | 'check'>

/** A mismatch unless the verifier decides as is due. One that broke decided nothing. */
export function decides(
  check: Checks,
  verdict: VerifierVerdict,
  { due, what, got = verdict.kind }: { readonly due: Decision; readonly what: string; readonly got?: unknown },
): boolean {
  return verdict.kind === 'broken'
    ? check.equal(what, verdict.kind, due)
    : check.decision(verdict.kind, due, { what, got })
}

/** Checks that the delivery is accepted. Without `about` it is a control, with the requirement of controls. */
export async function accepts({ verify, check: own }: Judge, request: VerifyRequest, about?: string): Promise<void> {
  const check = about === undefined ? own.of('VFY-004') : own
  const what = about ?? 'a valid delivery'
  const verdict = await verify(request)
  if (verdict.kind === 'broken') check.of('VFY-013').fatal.fail(`answer to ${what}`, 'accepted', verdict.how)
  else decides(check, verdict, { due: 'accepted', what: `verdict on ${what}`, got: verdict })
}

/** Checks that the delivery is refused; a crash or silence does not count. */
export async function refuses({ verify, check }: Judge, request: VerifyRequest, what: string): Promise<void> {
  const verdict = await verify(request)
  if (verdict.kind === 'broken') check.of('VFY-013').fatal.fail(`answer to ${what}`, 'refused', verdict.how)
  else decides(check, verdict, { due: 'refused', what: `verdict on ${what}` })
  if (verdict.kind === 'refused' && leaksSecret(verdict, request))
    check.of('VFY-022').fail(`refusal of ${what}`, 'nothing of the signature', 'the right one')
}

/** Returns whether a refusal contains the correct signature; entries of the delivery may be repeated in it. */
function leaksSecret(verdict: { readonly code: unknown; readonly message: unknown }, request: VerifyRequest): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = request.headers
  const mac = macOf(keyOf(request.secret), { id, timestamp, body: request.payload })
  const bytes = Buffer.from(mac, 'base64')
  const sent = request.headers['webhook-signature'] ?? ''
  const entries = [sent, ...sent.split(' ')].filter((part) => part.length >= bytes.length)
  const reported = entries.reduce(
    (rest, part) => rest.replaceAll(part, ''),
    [verdict.code, verdict.message].map(String).join('\n'),
  )
  return (
    !sent.includes(mac) &&
    [mac, bytes.toString('base64url'), bytes.toString('hex')].some((form) => reported.includes(form))
  )
}

/** An entry that has the form of a signature and matches nothing. */
export const wrongEntry = `v1,${hmac(keyOf(newSecret()), 'nothing')}`
