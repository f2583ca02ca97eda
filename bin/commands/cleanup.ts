import { setMaxListeners } from 'node:events'
import { rmSync } from 'node:fs'
import { Api } from '../../harness/service/api.js'
import { removeThing, type Belonging } from '../../harness/service/belongings.js'
import { Control } from '../../harness/service/control.js'
import type { ServiceTarget } from '../../harness/service/target.js'
import { itemsOf } from '../../harness/service/read.js'
import { Evidence } from '../../harness/wire/evidence.js'
import { memberOf } from '../../harness/wire/exchange.js'
import { HttpClient } from '../../harness/wire/http-client.js'
import { journalsOf, type JournalContent } from '../journal.js'
import { serviceTarget } from '../service-target.js'
import { readSettings } from '../settings.js'
import { exitCodes, UsageError } from '../usage.js'

/** `conformance cleanup`: removes what runs that were killed have left on a target. Exit code 3 when something stays. */
export async function cleanup(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings(flags, { isService: true })
  const target = serviceTarget(settings)
  const journals = journalsOf(target.baseUrl, settings.path('journal'))
  const foreign = journals.find(({ baseUrl }) => baseUrl !== target.baseUrl)
  if (foreign !== undefined)
    throw new UsageError(`--journal ${foreign.path}: it is of a run on ${foreign.baseUrl}, not on ${target.baseUrl}`)
  const http = new HttpClient()
  let stays = 0
  try {
    for (const journal of journals) {
      const { path } = journal
      const left = [...journal.left, ...(await unwritten(journal, target, http))]
      const isGone = await Promise.all(left.map((thing) => removed(thing, target, http)))
      const kept = left.filter((_, index) => isGone[index] !== true)
      stays += kept.length
      for (const { kind, id } of kept) process.stderr.write(`conformance: not removed: ${kind} ${id}\n`)
      process.stdout.write(`${path}: removed ${left.length - kept.length} of ${left.length}\n`)
      if (kept.length === 0) rmSync(path, { force: true })
    }
  } finally {
    await http.close()
  }
  if (journals.length === 0) process.stdout.write(`No run has left anything on ${target.baseUrl}.\n`)
  return stays === 0 ? exitCodes.conformant : exitCodes.noVerdict
}

/** Time after its last line in which a run that was killed may still have made something, in milliseconds. */
const afterLastLineMs = 120_000

/** Webhooks the run asked for and was killed before it read their ids: known by the mark in their URL, which holds a time. */
async function unwritten(
  { beganAt, wroteAt, left }: JournalContent,
  target: ServiceTarget,
  http: HttpClient,
): Promise<Belonging[]> {
  const items = itemsOf(await apiOf(target, http).listWebhooks()) ?? []
  return items.flatMap((item) => {
    const id = memberOf(item, 'id')
    const [, mark = ''] = /c[0-9a-z]{1,7}x([0-9a-z]{8,9})x[0-9a-z]+$/.exec(String(memberOf(item, 'url'))) ?? []
    const madeAt = Number.parseInt(mark, 36)
    const isOfRun = madeAt >= beganAt && madeAt <= wroteAt + afterLastLineMs
    if (!isOfRun || typeof id !== 'string' || left.some((each) => each.id === id)) return []
    return [{ kind: 'webhook' as const, id }]
  })
}

function apiOf({ baseUrl, apiKey: key }: ServiceTarget, http: HttpClient): Api {
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  return new Api({ http, baseUrl, key, evidence: new Evidence(), signal, observe: () => {} })
}

async function removed(thing: Belonging, target: ServiceTarget, http: HttpClient): Promise<boolean> {
  try {
    if (thing.kind === 'workspace') {
      if (target.control === undefined) return false
      await (await Control.connect(http, target.control)).deleteWorkspace(thing.id)
      return true
    }
    return await removeThing(apiOf(target, http), thing)
  } catch {
    return false
  }
}
