import { request } from 'undici'
import type { ReferenceFacts } from './hosts/reference.js'

export interface SinkFacts {
  readonly port: number
  readonly ca: string
}

/** The counts of the sink: deliveries, repeated ones, wrong signatures among those inspected. */
export interface SinkCount {
  readonly count: number
  readonly repeated: number
  readonly wrong: number
  readonly connections: number
  readonly resumed: number
}

/** Lets the reference server deliver to the sink. */
export async function allowSink(facts: ReferenceFacts, { port, ca }: SinkFacts): Promise<void> {
  await post(`${facts.controlUrl}/egress`, facts.controlKey, { allow: [`127.0.0.1:${port}`], ca })
}

/** Registers webhooks on the sink; their secrets by path. */
export async function createWebhooks(
  facts: ReferenceFacts,
  { port }: SinkFacts,
  count: number,
): Promise<Readonly<Record<string, string>>> {
  const secrets: Record<string, string> = {}
  for (let index = 0; index < count; index++) {
    const path = `/hooks/${index}`
    const made = await post(`${facts.url}/v1/webhooks`, facts.apiKey, { url: `https://127.0.0.1:${port}${path}` })
    secrets[path] = String((made as { secret?: unknown }).secret)
  }
  return secrets
}

async function post(url: string, key: string, json: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(json) })
  const text = await answer.body.text()
  if (answer.statusCode > 299) throw new Error(`POST ${url}: ${answer.statusCode} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
