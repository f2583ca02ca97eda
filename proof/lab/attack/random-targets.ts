// Hostile targets of each kind whose answers are composed at random, and the run of the program on each.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import { memberOf } from '../../../harness/parsing.js'
import { command, execute } from '../../../harness/testing/hostile/command.js'
import { startHostile } from '../../../harness/testing/hostile/proxy.js'
import { startReferenceServer } from '../../../reference/server/index.js'
import { packageFolder } from '../../../bin/cli/package.js'
import type { Trial, TrialEnd } from './targets.js'
import { composeAnswer, Composer, type HostileAnswer } from './random-values.js'

const kinds = ['service', 'receiver', 'driver', 'capture'] as const
type Kind = (typeof kinds)[number]
/** The kinds of {@link randomTrials} begin with it. */
export const randomKind = 'random'

/** Longest run, in milliseconds; a busy machine takes its time. */
const killAfterMs = 600_000
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='
/** Different answers of one target: a few occur often, as in a target that is broken in a few ways. */
const differentAnswers = 5

/** The kind of the target of a seed. */
export function kindOf(seed: number): Kind {
  return kinds[seed % kinds.length] ?? 'service'
}

/** A run on the target of each seed from 1 to `count`. */
export function randomTrials(count: number): readonly Trial[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: `${randomKind} ${kindOf(index + 1)}`,
    name: String(index + 1),
    run: () => runRandom(index + 1),
  }))
}

/** Runs the program on the target of a seed; `timeout` is that of a request, in milliseconds. */
export async function runRandom(seed: number, timeout = 2_500): Promise<TrialEnd> {
  const composer = new Composer(seed)
  const end = await runs[kindOf(seed)](composer, ['--timeout', String(timeout), '--seed', String(seed), '--quiet'])
  return { ...end, problem: end.problem ?? problemOf(end, kindOf(seed)) }
}

const runs: Readonly<Record<Kind, (composer: Composer, options: readonly string[]) => Promise<TrialEnd>>> = {
  service: runOnService,
  receiver: async (composer, options) => {
    const endpoint = await startHostile({ behaviour: randomBehaviour(composer) })
    try {
      const target = ['receiver', '--url', `${endpoint.url}/hooks`, '--secret', secret]
      const end = await command([...target, '--case', 'receiver/acceptance/*', ...options], { killAfterMs })
      return { ...end, bytes: endpoint.bytes() }
    } finally {
      await endpoint.close()
    }
  },
  driver: async (composer, options) =>
    inFolder(async (folder) => {
      const script = join(folder, 'answers.jsonl')
      const answers = Array.from({ length: differentAnswers }, () => composeLine(composer))
      writeFileSync(script, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
      const player = join(packageFolder(), 'harness/testing/hostile/player.mjs')
      const [kind, suite] = composer.pick([
        ['client', 'client/errors'],
        ['verifier', 'verifier/state'],
      ] as const)
      const args = [kind, '--suite', suite, ...options, '--', process.execPath, player, script]
      return { ...(await command(args, { killAfterMs })), bytes: undefined }
    }),
  capture: async (composer, options) =>
    inFolder(async (folder) => {
      const isHar = composer.isOneOf(2)
      const file = join(folder, isHar ? 'traffic.har' : 'traffic.ndjson')
      const text = isHar ? composeHar(composer) : composeCapture(composer)
      writeFileSync(file, text)
      const args = ['observe', '--from', file, '--base-url', 'http://127.0.0.1:1', ...options.slice(-1)]
      const end = await command(args, { killAfterMs })
      return { ...end, bytes: text.length, isRefusal: end.code === 2 }
    }),
}

/** A service that is right for some requests, and hostile for the others; the run and its cleanup must leave nothing. */
async function runOnService(composer: Composer, options: readonly string[]): Promise<TrialEnd> {
  const reference = await startReferenceServer({ control: true, capabilities: [] })
  const isRightFor = composer.pick([1, 20, 200])
  const share = composer.pick([1, 2, 10])
  let requests = 0
  let hostileAnswers = 0
  let isHostile = true
  const service = await startHostile({
    behaviour: randomBehaviour(composer),
    isVictim: () => {
      const isVictim = isHostile && ++requests > isRightFor && requests % share === 0
      if (isVictim) hostileAnswers++
      return isVictim
    },
    upstream: reference.url,
  })
  try {
    return await inFolder(async (folder) => {
      const { apiKey, domain, inboxes } = reference
      const config = join(folder, 'conformance.config.json')
      const target = {
        base_url: service.url,
        api_key: apiKey,
        from: `probe@${domain}`,
        inboxes: inboxes.map((inbox) => ({ id: inbox.id, address: inbox.address, api_key: inbox.apiKey })),
        journal: join(folder, 'journal'),
      }
      writeFileSync(config, JSON.stringify(target))
      const suites = ['webhooks', 'emails', 'schedules', 'errors'].flatMap((suite) => ['--suite', `service/${suite}`])
      const end = await command(['run', '--config', config, ...suites, ...options], { killAfterMs })
      isHostile = false
      await execute(['cleanup', '--config', config])
      const left = await listLeft(reference)
      // Where only some answers are hostile, repeated requests may get the right ones: as on a bad network, no failure is certain then.
      const isWrong = end.code === 0 && share === 1 && hostileAnswers >= differentAnswers
      const problem = isWrong ? 'exit 0' : left.length === 0 ? undefined : `left on the target: ${left.join(', ')}`
      return { ...end, bytes: service.bytes(), problem }
    })
  } finally {
    await service.close()
    await reference.close()
  }
}

/** What a run made that is still there: webhooks, and emails that wait for their time. */
async function listLeft(reference: { readonly url: string; readonly apiKey: string }): Promise<string[]> {
  const list = async (path: string) => {
    const answer = await fetch(`${reference.url}/v1/${path}`, {
      headers: { authorization: `Bearer ${reference.apiKey}` },
    })
    return memberOf(await answer.json(), 'data') as Readonly<Record<'id' | 'url' | 'status', string>>[]
  }
  const emails = (await list('emails?limit=100')).filter(({ status }) => status === 'scheduled')
  return [...(await list('webhooks')).map(({ url }) => url), ...emails.map(({ id }) => id)]
}

function randomBehaviour(composer: Composer) {
  const answers = Array.from({ length: differentAnswers }, () => composeAnswer(composer))
  let count = 0
  return ({ socket }: { readonly socket: Socket }) => {
    const answer = answers[count++ % answers.length]
    if (answer !== undefined) void play(socket, answer)
  }
}

async function play(socket: Socket, { pieces, end }: HostileAnswer): Promise<void> {
  for (const { bytes, afterMs } of pieces) {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (socket.destroyed) return
    socket.write(bytes)
  }
  if (end === 'close') socket.end()
  if (end === 'reset') socket.resetAndDestroy()
}

/** One line of a driver, or several, or none; {{id}} is the id of the request. */
function composeLine(composer: Composer): object {
  const id = composer.pick(['{{id}}', '{{id}}', '{{id}}', '"{{id}}"', '-1', 'null', composer.number()])
  const line = `{"id":${id},"ok":${composer.pick(['true', 'false', '0'])},"value":${composer.json()},"error":${composer.json()}}\n`
  return {
    text: composer.pick([line, line, line.repeat(20), line.slice(0, -2), '', composer.text(), `${composer.json()}\n`]),
    error: composer.isOneOf(3) ? composer.text().repeat(3) : '',
    delayMs: composer.isOneOf(3) ? composer.below(3_000) : 0,
    exit: composer.isOneOf(12),
  }
}

function composeCapture(composer: Composer): string {
  const message = () =>
    `{"headers":[["a",${JSON.stringify(composer.text())}]],"body":${JSON.stringify(composer.json())}}`
  const at = () => composer.pick(['"2026-01-01T00:00:00.000Z"', `"${composer.number()}"`, composer.number()])
  const line = () => {
    const kind = composer.pick(['exchange', 'delivery', 'frame', 'stream', 'stream-end', 'odd'])
    const path = composer.pick(['/v1/events', '/v1/webhooks', '/v1/emails', `/${'x'.repeat(2_000)}`, ''])
    return `{"kind":"${kind}","at":${at()},"duration_ms":${composer.number()},"service":"a","method":"GET","path":"${path}","url":"https://a.example/","stream":"s","request":${message()},"response":{"status":${composer.number()},"headers":[],"body":${JSON.stringify(composer.json())}}}`
  }
  const lines = Array.from({ length: composer.below(60) }, () =>
    composer.pick([line, line, line, () => composer.json()])(),
  )
  return ['{"format":"conformance-capture/1"}', ...lines].join('\n')
}

function composeHar(composer: Composer): string {
  const entry = () => {
    const content = `{"mimeType":"application/json","text":${JSON.stringify(composer.json())},"size":${composer.number()}}`
    const headers = `[{"name":"date","value":${JSON.stringify(composer.text())}}]`
    return `{"startedDateTime":"${composer.pick(['2026-01-01T00:00:00.000Z', composer.number()])}","time":${composer.number()},"request":{"method":"GET","url":"http://127.0.0.1:1/v1/events","headers":${headers}},"response":{"status":${composer.pick(['200', composer.number()])},"headers":${headers},"content":${content}}}`
  }
  const entries = Array.from({ length: composer.below(60) }, () =>
    composer.pick([entry, entry, entry, () => composer.json()])(),
  )
  return `{"log":{"version":"1.2","entries":[${entries.join(',')}]}}`
}

const exits: Readonly<Record<Kind, readonly number[]>> = {
  service: [0, 1, 3],
  receiver: [1, 3],
  driver: [1, 3],
  capture: [0, 1, 2, 3],
}
/** Resident memory that a run may take, in MiB. */
const maxMb = 400

function problemOf({ code, peakMb, report, isRefusal = false }: TrialEnd, kind: Kind): string | undefined {
  if (code === -1) return `not over after ${killAfterMs / 1_000} s`
  if (!exits[kind].includes(code)) return `exit ${code}`
  if (peakMb >= maxMb) return `${peakMb} MB`
  return report === undefined && !isRefusal ? 'no report' : undefined
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'random-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
