import { requirementIds, requirements, type RequirementId, type SubjectKind } from '../../spec/index.js'
import type { Case } from '../../harness/case.js'
import { connectClient } from '../../harness/client/subject.js'
import { inProcessDriver, type DriverHandler } from '../../harness/driver/in-process.js'
import { connectReceiver } from '../../harness/receiver/subject.js'
import type { Report } from '../../harness/result.js'
import { runSuite } from '../../harness/run.js'
import { connectService } from '../../harness/service/subject.js'
import type { Subject } from '../../harness/subject.js'
import { connectVerifier } from '../../harness/verifier/subject.js'
import { newSecret } from '../../harness/wire/signing.js'
import { clientMutants } from '../../reference/mutants/client.js'
import { receiverMutants } from '../../reference/mutants/receiver.js'
import { serverMutants } from '../../reference/mutants/server.js'
import { verifierMutants } from '../../reference/mutants/verifier.js'
import { EmailClient, ServiceError, type ClientPolicy } from '../../reference/client/index.js'
import { startReferenceReceiver, type ReceiverPolicy } from '../../reference/receiver/index.js'
import { startReferenceServer, type Policy } from '../../reference/server/index.js'
import { serverVariants } from '../../reference/variants/server.js'
import {
  createVerifier,
  verifierPolicy,
  WebhookVerificationError,
  type VerifierPolicy,
} from '../../reference/verifier/index.js'
import { clientCases } from '../../suites/client/index.js'
import { receiverCases } from '../../suites/receiver/index.js'
import { serviceCases } from '../../suites/service/index.js'
import { verifierCases } from '../../suites/verifier/index.js'
import { tool } from '../package.js'
import type { Trial } from './matrix.js'
import { witnesses } from './witnesses.js'

/** The cases a mutant is put to: those of the requirements it breaks, the witnesses, and the checks that are always on. */
function casesFor<Context>(
  catalogue: readonly Case<Context>[],
  breaks: readonly RequirementId[],
): readonly Case<Context>[] {
  return catalogue.filter(
    (each) =>
      each.phase === 'last' || witnesses.includes(each.id) || each.requirements.some((id) => breaks.includes(id)),
  )
}

async function runOn<Context>(
  subject: Subject<Context>,
  cases: readonly Case<Context>[],
  seed: number,
  close: () => Promise<void> = async () => {},
): Promise<Report> {
  try {
    return await runSuite(cases, subject, { seed, tool: tool() })
  } finally {
    await subject.close()
    await close()
  }
}

async function onServer(
  policy: Partial<Policy>,
  breaks: readonly RequirementId[] | undefined,
  seed: number,
): Promise<Report> {
  const server = await startReferenceServer({ control: true, policy })
  const subject = await connectService({
    baseUrl: server.url,
    apiKey: server.apiKey,
    from: undefined,
    inboxes: [],
    receiver: undefined,
    triggers: {},
    dns: undefined,
    retryDepth: 2,
    control: { url: server.controlUrl ?? '', key: server.controlKey ?? '' },
    maxRps: Number.POSITIVE_INFINITY,
  })
  return runOn(subject, breaks === undefined ? serviceCases : casesFor(serviceCases, breaks), seed, () =>
    server.close(),
  )
}

async function onReceiver(
  policy: Partial<ReceiverPolicy>,
  breaks: readonly RequirementId[],
  seed: number,
): Promise<Report> {
  const secret = newSecret()
  const receiver = await startReferenceReceiver({ secret, policy })
  const subject = await connectReceiver({
    url: receiver.url,
    secret,
    headers: {},
    insecure: false,
    maxRps: Number.POSITIVE_INFINITY,
    load: undefined,
  })
  return runOn(subject, casesFor(receiverCases, breaks), seed, () => receiver.close())
}

/** The reference verifier with a policy, behind the driver protocol. */
function verifierHandler(policy: VerifierPolicy): DriverHandler {
  const verifier = createVerifier(policy)
  return async (request) => {
    const text = (name: string) => String(request[name])
    const payload = Buffer.from(text('payload_base64'), 'base64')
    switch (request['op']) {
      case 'hello':
        return { name: 'mutant', version: '0', language: 'typescript' }
      case 'sign':
        return {
          signature: verifier.sign({
            secret: text('secret'),
            id: text('msg_id'),
            timestamp: Number(request['timestamp']),
            payload,
          }),
        }
      case 'verify':
        try {
          const headers = request['headers'] as Readonly<Record<string, string>>
          return {
            ok: true,
            event: verifier.verifyWebhook({ payload, headers, secret: text('secret'), now: Number(request['now']) }),
          }
        } catch (error) {
          if (error instanceof WebhookVerificationError)
            return { ok: false, error: { code: error.code, message: error.message } }
          throw error
        }
      default:
        return { unsupported: `no operation ${text('op')}` }
    }
  }
}

async function onVerifier(
  policy: Partial<VerifierPolicy>,
  breaks: readonly RequirementId[],
  seed: number,
): Promise<Report> {
  const source = inProcessDriver('mutant', () => verifierHandler({ ...verifierPolicy, ...policy }))
  return runOn(await connectVerifier(source), casesFor(verifierCases, breaks), seed)
}

type Fields = Readonly<Record<string, unknown>>

/** The reference client with a policy, behind the driver protocol. */
function clientHandler(policy: Partial<ClientPolicy>): DriverHandler {
  const clients = new Map<unknown, EmailClient>()
  return async (request) => {
    try {
      switch (request['op']) {
        case 'hello':
          return { name: 'mutant', version: '0', language: 'typescript' }
        case 'construct': {
          const options = request['options'] as Fields
          const present = Object.entries({
            baseUrl: options['base_url'],
            maxRetries: options['max_retries'],
            timeoutMs: options['timeout_ms'],
            headers: options['headers'],
          }).filter(([, value]) => value !== undefined)
          const key = options['api_key'] as string | undefined
          clients.set(
            request['client'],
            new EmailClient(key, {
              ...Object.fromEntries(present),
              env: request['env'] as Record<string, string>,
              policy,
            }),
          )
          return { ok: true }
        }
        case 'call':
          return { ok: true, value: await callMethod(clients.get(request['client']), request) }
        case 'verify': {
          const client = new EmailClient('key_of_nobody', { env: {}, policy })
          const payload = Buffer.from(String(request['payload_base64']), 'base64').toString('utf8')
          return {
            ok: true,
            event: await client.verifyWebhook({
              payload,
              headers: request['headers'] as Record<string, string>,
              secret: String(request['secret']),
            }),
          }
        }
        default:
          return { unsupported: 'no such operation' }
      }
    } catch (error) {
      if (error instanceof NoMethod) return { unsupported: error.message }
      if (!(error instanceof ServiceError)) throw error
      const { status, code, message, fix, errors, retryAfter } = error
      return { ok: false, error: { status, code, message, fix, errors, retry_after: retryAfter } }
    }
  }
}

class NoMethod extends Error {}

async function callMethod(client: EmailClient | undefined, request: Fields): Promise<unknown> {
  const path = String(request['method']).split('.')
  const owner = path.length === 1 ? client : (client as unknown as Record<string, unknown> | undefined)?.[path[0] ?? '']
  const method = (owner as Record<string, unknown> | undefined)?.[path.at(-1) ?? '']
  if (typeof method !== 'function') throw new NoMethod(`no method ${path.join('.')}`)
  const {
    idempotency_key: idempotencyKey,
    timeout_ms: timeoutMs,
    abort_after_ms: abortAfterMs,
  } = (request['options'] ?? {}) as Fields
  const args = (request['args'] as unknown[]).map(revived)
  if (path.at(-1) === 'deliveries' && args.length === 1) args.push(undefined)
  const abort = new AbortController()
  const timer = abortAfterMs === undefined ? undefined : setTimeout(() => abort.abort(), Number(abortAfterMs))
  const options = {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    signal: abort.signal,
  }
  try {
    return (
      (await (Reflect.apply(
        method,
        owner,
        path.at(-1) === 'verify' ? args : [...args, options],
      ) as Promise<unknown>)) ?? null
    )
  } finally {
    clearTimeout(timer)
  }
}

/** Dates of the driver protocol. */
function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived)
  if (typeof value !== 'object' || value === null) return value
  const { $date } = value as { $date?: unknown }
  if (typeof $date === 'string') return new Date($date)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revived(each)]))
}

async function onClient(
  policy: Partial<ClientPolicy>,
  breaks: readonly RequirementId[],
  seed: number,
): Promise<Report> {
  return runOn(
    await connectClient(inProcessDriver('mutant', () => clientHandler(policy))),
    casesFor(clientCases, breaks),
    seed,
  )
}

/** Every mutant of every kind. */
export function mutantTrials(seed: number): Trial[] {
  const kind = (each: SubjectKind) => ({ kind: each })
  return [
    ...serverMutants.map((each) => ({
      ...each,
      ...kind('service'),
      run: () => onServer(each.policy, each.breaks, seed),
    })),
    ...receiverMutants.map((each) => ({
      ...each,
      ...kind('receiver'),
      run: () => onReceiver(each.policy, each.breaks, seed),
    })),
    ...verifierMutants.map((each) => ({
      ...each,
      ...kind('verifier'),
      run: () => onVerifier(each.policy, each.breaks, seed),
    })),
    ...clientMutants.map((each) => ({
      ...each,
      ...kind('client'),
      run: () => onClient(each.policy, each.breaks, seed),
    })),
  ]
}

export interface VariantTrial {
  readonly id: string
  readonly kind: SubjectKind
  readonly run: () => Promise<Report>
}

/** Every variant alone, and one seeded combination of those that fit together. */
export function variantTrials(seed: number): VariantTrial[] {
  const alone = serverVariants.map((each) => ({
    id: each.id,
    kind: 'service' as const,
    run: () => onServer(each.policy, undefined, seed),
  }))
  const combined = serverVariants.filter((_, index) => (index * 2654435761 + seed * 40503) % 3 === 0)
  const policy = Object.assign({}, ...combined.map((each) => each.policy)) as Partial<Policy>
  return [
    ...alone,
    { id: `server/combination-of-${combined.length}`, kind: 'service', run: () => onServer(policy, undefined, seed) },
    { id: 'reference/receiver', kind: 'receiver', run: () => onReceiver({}, requirementsOf('receiver'), seed) },
    { id: 'reference/verifier', kind: 'verifier', run: () => onVerifier({}, requirementsOf('verifier'), seed) },
    { id: 'reference/client', kind: 'client', run: () => onClient({}, requirementsOf('client'), seed) },
  ]
}

function requirementsOf(kind: SubjectKind): RequirementId[] {
  return requirementIds.filter((id) => requirements[id].subject === kind)
}
