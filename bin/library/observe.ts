import type { Report } from '../../harness/index.js'
import { judgeFiles, nameOf, TrafficJudge, trafficReport } from '../../harness/observe/index.js'
import { normalizeBaseUrl } from '../../harness/parsing.js'
import { trafficCases } from '../../suites/traffic/index.js'
import { tool } from '../cli/package.js'

/** What `conformance observe --from` takes as options. */
export interface ObserveOptions {
  /** Captures and HAR files; several are one capture. */
  readonly from: readonly string[]
  /** Where the service is; by default every host that answers below the paths of the interface. */
  readonly baseUrl?: string
  /** Secrets of webhooks that were made before (`whsec_...`). */
  readonly secrets?: readonly string[]
  /** Keys that are limited to one inbox. */
  readonly inboxes?: readonly { readonly id: string; readonly apiKey: string }[]
}

/**
 * Judges recorded traffic and resolves to the report, whose verdict is `nonconformant`, `partial` or `none`. Rejects for a file that is not
 * a capture.
 *
 * @example const report = await observe({ from: ['traffic.ndjson', 'browser.har'] })
 */
export async function observe({ from, baseUrl, secrets = [], inboxes = [] }: ObserveOptions): Promise<Report> {
  const startedAt = new Date()
  const judge = new TrafficJudge({ scopes: new Map(inboxes.map(({ id, apiKey }) => [nameOf('key', apiKey), id])) })
  const notes: string[] = []
  const url = baseUrl === undefined ? undefined : new URL(normalizeBaseUrl(baseUrl))
  await judgeFiles(judge, {
    paths: from,
    address: url === undefined ? undefined : { host: url.host, prefix: url.pathname.replace(/\/$/, '') },
    secrets,
    onNote: (note) => notes.push(note),
  })
  judge.finish()
  return trafficReport(judge.ledger, { cases: trafficCases, tool: tool(), name: from.join(', '), startedAt, notes })
}
