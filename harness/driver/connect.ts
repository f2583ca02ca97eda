import type { Evidence } from '../wire/evidence.js'
import { cut } from '../wire/cut.js'
import { Secrets } from '../secrets.js'
import type { DriverReply, DriverSource } from './link.js'
import { DriverPool, type DriverIntroduction } from './pool.js'

export interface ConnectedDrivers {
  readonly pool: DriverPool
  readonly who: DriverIntroduction
  readonly secrets: Secrets
}

/**
 * Starts a driver and makes a target of it. If the driver does not answer `hello`, or `make` fails, the pool is closed, and the thrown
 * error contains no secret.
 */
export async function connectDrivers<Target>(
  source: DriverSource,
  options: ConstructorParameters<typeof DriverPool>[1],
  make: (drivers: ConnectedDrivers) => Target | Promise<Target>,
): Promise<Target> {
  const secrets = new Secrets()
  // A driver inherits the environment, and may print it.
  secrets.addEnvironment(process.env)
  for (const secret of source.secrets ?? []) secrets.add(secret)
  const pool = new DriverPool(source, options)
  try {
    return await make({ pool, who: await pool.introduce(), secrets })
  } catch (error) {
    await pool.close()
    throw secrets.redactError(error)
  }
}

/** Sends a request to a driver, and keeps it and the reply as evidence. */
export async function sendRecorded(
  evidence: Evidence,
  request: Readonly<Record<string, unknown>>,
  call: () => Promise<DriverReply>,
): Promise<DriverReply> {
  const startedAt = new Date()
  const reply = await call()
  evidence.add({
    direction: 'sent',
    kind: 'driver',
    request: { method: String(request['op']), url: 'driver', headers: {}, body: cut(JSON.stringify(request), 4_096) },
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    note: cut(describeReply(reply), 2_000),
  })
  return reply
}

/** Returns the answer as JSON, or why there is none. */
function describeReply(reply: DriverReply): string {
  if (reply.kind === 'answer') return JSON.stringify(reply.fields)
  if (reply.kind === 'silent') return `no answer within ${reply.afterMs} ms`
  if (reply.kind === 'unsupported') return `unsupported: ${reply.why}`
  if (reply.kind === 'garbage') return `an invalid answer: ${reply.line}`
  return `the driver ended before it answered: ${reply.how}${reply.stderr === '' ? '' : `; standard error: ${reply.stderr}`}`
}
