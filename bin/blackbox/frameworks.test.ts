// Endpoints built with express, fastify, koa and hono as their documentation shows, and as people write them: processes of their
// own, judged by the built command in this process.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../../spec/index.js'
import { some } from '../testing/whole.js'
import { judgeHere } from '../testing/command.js'

const command = judgeHere()

/** A busy machine takes its time. */
const limit = { timeout: 180_000 }
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

/** The ways its documentation shows that are right. */
const frameworks = {
  express: ['right', 'right-beside-json'],
  fastify: ['right', 'right-as-text'],
  koa: ['right', 'right-beside-json'],
  hono: ['right', 'right-as-text'],
} as const
type Framework = keyof typeof frameworks

interface Mistake {
  readonly behaviour: string
  /** Requirements on which it must fail. */
  readonly breaks: readonly RequirementId[]
  /** Others on which it may fail too. */
  readonly also: readonly RequirementId[]
  /** Exit code; 0 where only advice is not followed. */
  readonly code: 0 | 1
  /** Run with every framework; the other cases, with one. */
  readonly cases: readonly string[]
  /** The endpoint reports its handled events. */
  readonly reportsHandled?: true
}

/** The framework whose endpoints get all cases: the others differ only in how they read a body. */
const askedInWhole: Framework = 'fastify'
const signatures = ['receiver/acceptance/*', 'receiver/signature/refuses-*', 'receiver/timestamp/*']
const effects = ['receiver/acceptance/*', 'receiver/effects/does-nothing-*', 'receiver/effects/handles-an-event-once']

/** An endpoint that reads a body as text, as the documentation of hono shows it, does not follow this advice. */
const adviceOnText: RequirementId = 'RCV-030'
const readsText = (framework: Framework, behaviour: string) =>
  framework === 'hono' || behaviour === 'right-as-text' || (framework === 'koa' && behaviour === 'right-beside-json')

const mistakes: readonly [Mistake, ...Mistake[]] = [
  {
    behaviour: 'parses-first',
    breaks: ['RCV-009'],
    also: ['RCV-008', adviceOnText],
    code: 1,
    cases: [...signatures, 'receiver/raw-body/*'],
  },
  {
    behaviour: 'forgets-the-time',
    breaks: ['RCV-006', 'RCV-007'],
    // A missing timestamp is also a malformed one.
    also: ['RCV-004', 'RCV-015', 'RCV-021', 'RCV-023', 'RCV-031', adviceOnText],
    code: 1,
    cases: signatures,
  },
  {
    behaviour: 'throws',
    breaks: ['RCV-015', 'RCV-021'],
    also: [],
    code: 0,
    cases: [...signatures, 'receiver/malformed/never-*', 'receiver/malformed/refuses-with-*'],
  },
  { behaviour: 'works-first', breaks: ['RCV-024'], also: [], code: 1, cases: effects, reportsHandled: true },
  {
    behaviour: 'takes-duplicates-for-new',
    breaks: ['RCV-019'],
    also: [],
    code: 1,
    cases: effects,
    reportsHandled: true,
  },
]

/** Starts an endpoint as a process. */
async function start(framework: Framework, behaviour: string): Promise<{ readonly origin: string; end(): void }> {
  const program = join(import.meta.dirname, 'testing/receivers', `${framework}.mjs`)
  const child = spawn(process.execPath, [program, behaviour], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, WEBHOOK_SECRET: secret },
  })
  for await (const origin of createInterface({ input: child.stdout })) return { origin, end: () => child.stdin.end() }
  throw new Error(`${framework} ${behaviour} ended before it listened`)
}

/** Judges it: returns the violated requirements and the number of errored cases with the exit code. */
async function judge(
  framework: Framework,
  { behaviour, reportsHandled, cases }: Pick<Mistake, 'behaviour' | 'reportsHandled' | 'cases'>,
) {
  const { origin, end } = await start(framework, behaviour)
  try {
    const { code, report, out } = await command([
      'receiver',
      '--url',
      `${origin}/webhooks`,
      '--secret',
      secret,
      '--seed',
      '1',
      ...(reportsHandled === true ? ['--handled-url', `${origin}/handled/{id}`] : []),
      ...cases.flatMap((pattern) => ['--case', pattern]),
    ])
    const failed = report?.cases.filter(({ status }) => status === 'failed') ?? []
    const violated = [...new Set(failed.flatMap(({ violates = [] }) => violates))].sort()
    return { code, verdict: report?.verdict, violated, errored: report?.summary.cases['errored'], out }
  } finally {
    end()
  }
}

describe.each(Object.keys(frameworks) as Framework[])('an endpoint built with %s', limit, (framework) => {
  it.concurrent.each(frameworks[framework])('%s: conforms', async (behaviour) => {
    const reportsHandled = framework === askedInWhole && behaviour === 'right' ? { reportsHandled: true as const } : {}
    const { out, violated, ...end } = await judge(framework, { behaviour, cases: [], ...reportsHandled })
    // Without a count of handled events, effects are not judged.
    const verdict = 'reportsHandled' in reportsHandled ? 'conformant' : 'partial'
    expect(end, out).toEqual({ code: 0, verdict, errored: 0 })
    expect(violated.filter((id) => !readsText(framework, behaviour) || id !== adviceOnText)).toEqual([])
  })

  const [first, ...others] = mistakes
  const tried = framework === askedInWhole ? mistakes : some([first], others)
  it.concurrent.each(tried)('$behaviour: fails for that alone', async ({ breaks, also, code, ...mistake }) => {
    const isWhole = framework === askedInWhole && mistake.reportsHandled === undefined
    const { out, violated, ...end } = await judge(framework, { ...mistake, cases: isWhole ? [] : mistake.cases })
    expect(end.code, out).toBe(code)
    expect(end.errored, out).toBe(0)
    expect(violated).toEqual(expect.arrayContaining([...breaks]))
    expect(violated.filter((id) => ![...breaks, ...also].some((requirement) => requirement === id))).toEqual([])
  })
})
