// What `conformance init` tries of a receiver, a driver and a sender, to see whether an answer works.
import { HttpClient } from '../../harness/service-calls.js'
import { diagnose } from '../../harness/diagnose/index.js'
import { driverCommand } from '../../harness/driver/index.js'
import { Sink } from '../../harness/webhook-sink.js'
import { startTrigger, type SenderProfile } from '../../harness/sender/index.js'
import { Delivery, newSecret, sampleData } from '../../harness/signing.js'
import { Secrets } from '../../harness/safe-text.js'
import { hideSecrets } from '../cli/hidden-arguments.js'
import { addSecrets } from '../cli/output.js'
import { hostAndPort, signingSecret, UsageError } from '../cli/usage.js'
import { secretVariable } from './files.js'
import { fails, works, type ProbeResult } from './probes.js'
import { invocation } from '../cli/invocation.js'

/** Longest time that an answer is tried, in milliseconds: an endpoint has 10 s, a trigger what a run would give it. */
export const longestTryMs = { endpoint: 15_000, driver: 30_000, trigger: 60_000 } as const
/** Wait for what a trigger has sent, once it ended, in milliseconds. */
const endedMs = 15_000

/** Sends one valid delivery, signed with the secret where it is known. */
export async function probeEndpoint(url: string, secret: string | undefined): Promise<ProbeResult> {
  const refused = refusalOf(secret)
  if (refused !== undefined) return refused
  if (secret !== undefined) addSecrets([secret])
  const mark = Math.random().toString(36).slice(2)
  const id = `evt_init${mark}`
  const now = new Date()
  const data = sampleData('message.received', { inboxId: 'ibx_1', workspaceId: 'wsp_1', mark })
  const { headers, fields } = new Delivery({
    id,
    timestamp: Math.floor(now.getTime() / 1000),
    secret: secret ?? newSecret(),
    body: Buffer.from(JSON.stringify({ id, type: 'message.received', timestamp: now.toISOString(), data })),
  })
  const http = new HttpClient({ access: {} })
  try {
    const request = { method: 'POST', url, headers, body: fields.body, timeoutMs: longestTryMs.endpoint } as const
    const { status, failure } = await http.send({ ...request, kind: 'receiver', statusOnly: true })
    return judged(status, failure, secret !== undefined)
  } catch (error) {
    return fails(`no answer: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await http.close()
  }
}

function judged(status: number | undefined, failure: string | undefined, isSigned: boolean): ProbeResult {
  if (status === undefined) return fails(`no answer: ${failure ?? 'nothing came'}; is the endpoint running?`)
  if ([301, 302, 303, 307, 308].includes(status))
    return fails(`answered ${status}, a redirect, which no sender follows: give the address it leads to`)
  if ([404, 405, 410].includes(status)) return fails(`no webhook endpoint here: answered ${status}; check the path`)
  if (status >= 500) return fails(`answered ${status}: something is wrong in the endpoint, or before it`)
  if (!isSigned) return works(`somebody answers (${status})`)
  return status >= 200 && status < 300
    ? works(`takes a signed delivery (${status})`)
    : fails(`refuses a delivery signed with ${secretVariable} (${status}): is that the secret it was given?`)
}

/** Starts the driver, and requests its description. */
export async function probeDriver(kind: 'verifier' | 'client', command: string): Promise<ProbeResult> {
  const { line, secrets } = hideSecrets(['sh', '-c', command], invocation().env)
  addSecrets(secrets)
  const source = driverCommand({ command: ['sh', '-c', command], label: line.replace(/^sh -c /, ''), secrets })
  try {
    const connected =
      kind === 'verifier'
        ? await (await import('../../harness/verifier/index.js')).connectVerifier(source)
        : await (await import('../../harness/client/index.js')).connectClient(source)
    const { name } = connected
    await connected.close()
    return works(`the driver answers: ${name}`)
  } catch (error) {
    return fails(error instanceof Error ? error.message : String(error))
  }
}

/** Listens, runs the trigger for one event, and waits for what it sends. */
export async function probeSender(
  command: string,
  {
    listen,
    secret,
    profile,
  }: { readonly listen: string; readonly secret: string | undefined; readonly profile: SenderProfile },
): Promise<ProbeResult> {
  const refused = refusalOf(secret)
  if (refused !== undefined) return refused
  if (secret !== undefined) addSecrets([secret])
  const place = hostAndPort('--listen', listen)
  let wake: (probed: ProbeResult) => void = () => {}
  const arrived = new Promise<ProbeResult>((resolve) => (wake = resolve))
  let sink: Sink
  try {
    sink = await Sink.start({
      ...place,
      takesPlain: true,
      names: [],
      onStray: ({ method, rawHeaders, body }) => wake(deliveryOf({ method, rawHeaders, body }, secret)),
    })
  } catch (error) {
    return fails(`cannot listen on ${listen}: ${error instanceof Error ? error.message : String(error)}`)
  }
  let timer: NodeJS.Timeout | undefined
  const within = (ms: number, text: string) => {
    clearTimeout(timer)
    timer = setTimeout(() => wake(fails(text)), ms)
  }
  const secrets = new Secrets()
  secrets.addEnvironment(invocation().env)
  const environment = {
    CONFORMANCE_EVENT_TYPE: profile === 'interface' ? 'message.received' : '',
    // As in a run: https, with a certificate of its own.
    CONFORMANCE_WEBHOOK_URL: `${sink.publicUrl.replace(/\/$/, '')}/webhooks`,
  }
  within(longestTryMs.trigger, `the trigger still runs after ${longestTryMs.trigger / 1000} s, and nothing arrived`)
  const running = startTrigger(command, environment, () => {
    if (running.failure !== undefined) wake(fails(secrets.redact(running.failure)))
    else within(endedMs, `the trigger ended well, and nothing arrived within ${endedMs / 1000} s`)
  })
  try {
    return await arrived
  } finally {
    clearTimeout(timer)
    running.stop()
    await sink.close()
  }
}

/** Describes the request; with a known secret also whether it is signed with it. */
function deliveryOf(
  { method, rawHeaders, body }: { method: string; rawHeaders: readonly string[]; body: Uint8Array },
  secret: string | undefined,
): ProbeResult {
  if (secret === undefined) return works(`a ${method} arrived, of ${body.length} bytes`)
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  )
  const now = Math.floor(Date.now() / 1000)
  const { verifies, causes } = diagnose({ headers, body, notes: [] }, { secrets: [secret], now, budget: 20_000_000 })
  if (verifies) return works('a delivery arrived, and its signature is right')
  return fails(`a delivery arrived, and does not verify: ${causes[0]?.explanation ?? 'no cause was found'}`)
}

/** Rejects an invalid secret, which would look like a wrong one. */
function refusalOf(secret: string | undefined): ProbeResult | undefined {
  if (secret === undefined) return undefined
  try {
    signingSecret(secret)
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return fails(error.message.replace('--secret', secretVariable))
    throw error
  }
}
