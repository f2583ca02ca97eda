// Endpoints that use the official packages as their READMEs show conform, with advice; with one mistake they do not.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../../spec/index.js'
import { judgeHere } from '../testing/command.js'

const command = judgeHere()

/** A busy machine takes its time. */
const limit = { timeout: 240_000 }
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

async function judge(name: string, behaviour: string, given: readonly string[]) {
  const program = join(import.meta.dirname, 'testing/receivers/official.mjs')
  const child = spawn(process.execPath, [program, behaviour, name], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, WEBHOOK_SECRET: secret },
  })
  try {
    const [origin = ''] = await new Promise<string[]>((resolve) =>
      createInterface({ input: child.stdout }).once('line', (line) => resolve([line])),
    )
    const handledUrl = given.includes('--handled-url') ? [`${origin}/handled/{id}`] : []
    const target = ['receiver', '--url', `${origin}/webhooks`, '--secret', secret, '--seed', '1']
    const { code, report, out } = await command([...target, ...given, ...handledUrl])
    const violated = report?.requirements.filter(({ status }) => status === 'violated').map(({ id }) => id)
    return { code, verdict: report?.verdict, violated, note: report?.note, out }
  } finally {
    child.stdin.end()
  }
}

const advice: Readonly<Record<string, readonly RequirementId[]>> = {
  standardwebhooks: ['RCV-027', 'RCV-030', 'RCV-031'],
  svix: ['RCV-027', 'RCV-029', 'RCV-030', 'RCV-031'],
}
/** Each mistake: its requirement, the words that name it, and the cases that show it. */
const mistakes: readonly (readonly [
  behaviour: string,
  breaks: RequirementId,
  cause: RegExp,
  given: readonly string[],
])[] = [
  [
    'parses-first',
    'RCV-009',
    /verified after they were parsed and serialized again/,
    ['--case', 'receiver/{acceptance,raw-body}/*'],
  ],
  [
    'forgets-the-time',
    'RCV-006',
    /The limit on the age of deliveries is missing/,
    ['--case', 'receiver/{acceptance,timestamp}/*'],
  ],
  [
    'compares-the-beginning',
    'RCV-005',
    /The signature is compared in part/,
    ['--case', 'receiver/{acceptance,signature}/*'],
  ],
  [
    'takes-duplicates-for-new',
    'RCV-019',
    /however often an event is sent, its work is done once/,
    ['--case', 'receiver/{acceptance,effects}/*', '--handled-url'],
  ],
]

/** Lines of the end of a run, without those of progress, in which a cause must be named. */
const linesOfCause = 15
const endOf = (out: string) => out.split('\n').slice(Math.max(0, out.split('\n').findIndex(isOfEnd)))
const isOfEnd = (line: string) => /^(BROKEN|ADVICE|UNCLEAR) /.test(line)

describe.each(Object.keys(advice))('an endpoint that uses %s', limit, (name) => {
  it('as its README shows: advice alone', async () => {
    const { out, ...end } = await judge(name, 'right', [])
    const note = 'answers conform; effects were not judged: give --handled-url'
    expect(end, out).toEqual({ code: 0, verdict: 'partial', violated: advice[name], note })
    const lines = endOf(out)
    const advised = lines.slice(0, lines.indexOf(''))
    expect(advised[0]).toContain(`These are the known differences of ${name}`)
    expect(advised.length, out).toBeLessThanOrEqual(10)
    expect(lines.filter(isOfEnd)).toHaveLength(1)
  })

  it.each(mistakes)('%s: fails on %s', async (behaviour, breaks, cause, given) => {
    const { code, violated, out } = await judge(name, behaviour, given)
    expect(code, out).toBe(1)
    expect(violated).toContain(breaks)
    expect(endOf(out).slice(0, linesOfCause).join('\n')).toMatch(cause)
  })
})

it('an endpoint with another secret: no verdict, in one sentence', limit, async () => {
  const { code, verdict, note } = await judge('standardwebhooks', 'right', ['--secret', 'whsec_b3RoZXIgc2VjcmV0'])
  expect({ code, verdict }).toEqual({ code: 3, verdict: 'none' })
  expect(note).toMatch(/^no result: every valid delivery was answered with 400.*--secret/)
})
