// Endpoints that use the official packages as their READMEs show conform, with advice; with one mistake they do not.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from '../../harness/testing/hostile/command.js'
import type { RequirementId } from '../../spec/index.js'

/** A busy machine takes its time. */
const limit = { timeout: 240_000 }
const secret = 'whsec_c2VjcmV0IG9mIGEgd2ViaG9vaw=='

async function judge(name: string, manner: string, given: readonly string[]) {
  const program = join(import.meta.dirname, 'testing/receivers/official.mjs')
  const child = spawn(process.execPath, [program, manner, name], {
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
const mistakes: readonly (readonly [manner: string, breaks: RequirementId, given: readonly string[]])[] = [
  ['parses-first', 'RCV-009', ['--case', 'receiver/{acceptance,raw-body}/*']],
  ['forgets-the-time', 'RCV-006', ['--case', 'receiver/{acceptance,timestamp}/*']],
  ['compares-the-beginning', 'RCV-005', ['--case', 'receiver/{acceptance,signature}/*']],
  ['takes-duplicates-for-new', 'RCV-019', ['--case', 'receiver/{acceptance,effects}/*', '--handled-url']],
]

describe.each(Object.keys(advice))('an endpoint that uses %s', limit, (name) => {
  it('as its README shows: advice alone', async () => {
    const { out, ...end } = await judge(name, 'right', [])
    const note = 'answers conform; effects were not judged: give --handled-url'
    expect(end, out).toEqual({ code: 0, verdict: 'partial', violated: advice[name], note })
  })

  it.each(mistakes)('%s: fails on %s', async (manner, breaks, given) => {
    const { code, violated, out } = await judge(name, manner, given)
    expect(code, out).toBe(1)
    expect(violated).toContain(breaks)
  })
})

it('an endpoint with another secret: no verdict, in one sentence', limit, async () => {
  const { code, verdict, note } = await judge('standardwebhooks', 'right', ['--secret', 'whsec_b3RoZXIgc2VjcmV0'])
  expect({ code, verdict }).toEqual({ code: 3, verdict: 'none' })
  expect(note).toMatch(/^nothing was learnt: every valid delivery was answered with 400.*--secret/)
})
