// Cases that are scripts of calls: each call is made against a server that answers by script, and compared with the model.

import type { Level, RequirementId } from '../../../spec/index.js'
import {
  asText,
  clientCase,
  type CallResult,
  type Checks,
  type ClientCase,
  type ClientContext,
  type ClientHandle,
  type ReceivedRequest,
  type Reply,
} from '../../../harness/authoring.js'
import { describeAnswer, meaningOf, replyOf, retryAfterOf, success, type Answer } from './answers.js'
import { clearerResult, shapes } from './error-shapes.js'
import { callersKey } from './expectations.js'
import type { Method } from './methods.js'
import { findFaults } from './model.js'
import type { Exchange, Fault, ObservedCall, Script } from './script.js'
import { findRequestFaults, findSharedKeys } from './request-faults.js'

/** A call that ends with an error of the API, whose fields it must show. */
export interface ErrorScript {
  readonly method: Method
  readonly maxRetries?: number
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>
  /** What the earlier attempts are answered. */
  readonly before?: readonly Answer[]
  /** Another form of each reply. */
  readonly form?: (reply: Reply) => Reply
}

interface Scenario {
  readonly id: `client/${string}/${string}`
  readonly requirements: readonly [RequirementId, ...RequirementId[]]
  /** Default `must`. */
  readonly level?: Level
  readonly title: string
  readonly timeoutMs?: number
  readonly phase?: 'first'
  readonly dependsOn?: readonly RequirementId[]
  /** One after the other; calls with the same options of the client share it. */
  readonly calls?: readonly Script[]
  /** After the calls: each in the flat and in the nested shape that an error body may have (open point error-shape). */
  readonly errors?: readonly ErrorScript[]
  /** The calls are made side by side, each by a client of its own, where the driver begins a call while another one waits. */
  readonly isSideBySide?: boolean
  /** The server keeps connections open after an answer. */
  readonly keepsConnections?: boolean
}

/** Defines a case that makes calls, and compares each with the model of the client. */
export function scenario({ calls = [], errors = [], level = 'must', ...definition }: Scenario): ClientCase {
  const { isSideBySide = false, keepsConnections = false, ...named } = definition
  return clientCase({
    ...named,
    level,
    async run(context) {
      if (keepsConnections) context.server.keepsConnections()
      const player = new Player(context, definition.requirements)
      await (isSideBySide ? player.playSideBySide(calls) : player.playInTurn(calls))
      for (const error of errors) await player.playError(error)
    },
  })
}

/** Longest time of a call beyond the waits of `Retry-After`, in milliseconds. */
const generousMs = 45_000
/** From these waits on a call gets its own time: after calls that did not end, others get less. */
const longWaitMs = 8_000
/** Longer ones are in no script that waits for them, in milliseconds. */
const longestWaitsMs = 120_000

/** Letters of a long key: more than a column of 255 takes. */
const longKeyLetters = 300

/** Plays scripts in one case. */
export class Player {
  readonly #context: ClientContext
  readonly #requirements: readonly RequirementId[]
  readonly #clients = new Map<string, Promise<ClientHandle>>()
  readonly #mark: string

  /** `requirements`: those that the case checks. */
  constructor(context: ClientContext, requirements: readonly RequirementId[]) {
    this.#context = context
    this.#requirements = requirements
    this.#mark = context.unique()
  }

  /** Plays each script after the one before has ended; a call that never ended is the last. */
  async playInTurn(scripts: readonly Script[]): Promise<void> {
    const calls: { readonly script: Script; readonly call: ObservedCall }[] = []
    for (const script of scripts) {
      const call = await this.#observe(script, this.#mark)
      this.report(script, this.findFaults(script, call))
      calls.push({ script, call })
      if (call.result.kind === 'broken') break
    }
    for (const fault of findSharedKeys(calls)) this.report(calls[0]?.script, [fault])
  }

  /** Plays all scripts at once, each with a client of its own. */
  async playSideBySide(scripts: readonly Script[]): Promise<void> {
    if (!this.#context.isConcurrent) return this.playInTurn(scripts)
    const played = await Promise.all(scripts.map((script) => this.play(script)))
    for (const { script, faults } of played) this.report(script, faults)
  }

  /** Plays one script, and returns its faults. Other scripts may be played at the same time. */
  async play(script: Script): Promise<{ readonly script: Script; readonly faults: readonly Fault[] }> {
    const probe = this.#context.unique()
    const call = await this.#observe(script, probe)
    return { script, faults: this.findFaults(script, call, probe) }
  }

  /** Plays a script that ends with an error in both shapes; the call that shows its code counts. */
  async playError({
    method,
    status,
    error,
    maxRetries = 0,
    before = [],
    form = (reply) => reply,
  }: ErrorScript): Promise<void> {
    const results: CallResult[] = []
    const scripts = shapes(status, error).map((reply): Script => {
      const shape = form(reply)
      const [first = shape, ...others] = [...before, shape]
      return { method, maxRetries, answers: [first, ...others] }
    })
    for (const script of scripts) {
      const call = await this.#observe(script, this.#mark)
      this.report(script, this.findFaults(script, call))
      results.push(call.result)
    }
    const read = clearerResult(results, asText(error['code']))
    if (read.kind !== 'error') return
    const what = `error of ${method.name} answered ${[...before, status].map((one) => (typeof one === 'number' ? one : describeAnswer(one))).join(', ')}`
    const { errors, ...fields } = error
    const shown = Object.fromEntries(
      Object.keys(fields).map((name) => [name, Reflect.get(read.error, name) as unknown]),
    )
    this.report(scripts[0], [
      {
        blames: ['CLI-031'],
        what,
        expected: { value: { status, ...fields } },
        got: { status: read.error.status, ...shown },
      },
      ...(errors === undefined
        ? []
        : [
            {
              blames: ['CLI-032'] as const,
              what: `errors of the ${what}`,
              expected: { value: errors },
              got: read.error.errors,
            },
          ]),
    ])
  }

  /** Returns the faults of a call. */
  findFaults(script: Script, call: ObservedCall, probe = this.#mark): readonly Fault[] {
    const carried = { apiKey: this.#context.apiKey, probe }
    return [...findFaults(script, call), ...findRequestFaults(script, call, carried)]
  }

  /** Reports faults under the nearest requirement that the case checks. */
  report(script: Script | undefined, faults: readonly Fault[], check: Checks = this.#context.check): void {
    for (const { blames, what, expected, got, isMeasured = false } of faults) {
      const requirement = this.#requirementOf(script?.method, blames)
      const on = requirement === undefined ? check : check.of(requirement)
      const checks = isMeasured ? on.measured : on
      if (typeof expected === 'string') checks.fail(what, expected, got)
      else checks.equal(what, got, expected.value)
    }
  }

  #requirementOf(method: Method | undefined, blames: readonly RequirementId[]): RequirementId | undefined {
    const ofMethod = method?.reportedUnder
    if (ofMethod !== undefined && this.#requirements.includes(ofMethod)) return ofMethod
    return blames.find((id) => this.#requirements.includes(id)) ?? ofMethod ?? blames[0]
  }

  async #observe(script: Script, probe: string): Promise<ObservedCall> {
    const { method, answers, options = {} } = script
    const handle = await this.#clientFor(script, probe)
    const exchanges: Exchange[] = []
    this.#serve(probe, (request) => {
      const reply = replyOf(answers[Math.min(exchanges.length, answers.length - 1)] ?? success)
      exchanges.push({ request, reply, retryAfterMs: retryAfterMs(reply) })
      return reply
    })
    const ownKey = this.#ownKeyFor(script)
    const keyed = ownKey === undefined ? options : { ...options, idempotency_key: ownKey }
    const beganAt = performance.now()
    const result = await handle.call(method.name, method.args, keyed, longestMs(script))
    return { exchanges, result, beganAt, endedAt: performance.now(), ownKey }
  }

  /** The scripts of calls that are under way, by the value of their extra header; that of a call made alone is not needed. */
  readonly #scripts = new Map<string, (request: ReceivedRequest) => Reply>()

  #serve(probe: string, answer: (request: ReceivedRequest) => Reply): void {
    this.#scripts.set(probe, answer)
    this.#context.server.script((request) => {
      const own = this.#scripts.get(request.headers['x-probe'] ?? '')
      return (own ?? answer)(request)
    })
  }

  #ownKeyFor({ ownKey }: Script): string | undefined {
    if (ownKey === undefined) return undefined
    const usual = callersKey(this.#context.unique())
    return ownKey === 'usual' ? usual : `${usual}${'-'.repeat(longKeyLetters)}.`
  }

  #clientFor({ maxRetries, timeoutMs }: Script, probe: string): Promise<ClientHandle> {
    const options = {
      ...(maxRetries === undefined ? {} : { max_retries: maxRetries }),
      ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
      headers: { 'x-probe': probe },
    }
    const name = JSON.stringify(options)
    const known = this.#clients.get(name) ?? this.#context.client(options)
    this.#clients.set(name, known)
    return known
  }
}

/** The wait of the `Retry-After` of a reply that is sent now, in milliseconds; undefined without one, or for an unreadable one. */
function retryAfterMs(reply: Reply): number | undefined {
  const header = retryAfterOf(reply)
  const meaning = meaningOf(reply)
  if (header === undefined || meaning.kind !== 'error' || meaning.isFinal) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const due = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(due) ? undefined : due - Date.now()
}

/** The longest time of a call with long waits, in milliseconds; undefined: that of the run. */
function longestMs({ answers, maxRetries, options = {} }: Script): number | undefined {
  const waits = answers.map((answer) => {
    if (answer.kind === 'late') return answer.ms
    if (maxRetries === 0) return 0
    return answer.kind === 'dated' ? answer.inSeconds * 1_000 : (retryAfterMs(answer) ?? 0)
  })
  const sum = waits.reduce((one, other) => one + other, 0)
  const isLong = sum >= longWaitMs && sum <= longestWaitsMs
  return isLong && options.abort_after_ms === undefined ? generousMs + sum : undefined
}
