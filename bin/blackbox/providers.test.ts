// Endpoints built with the providers' own libraries, as their documentation shows and with the usual mistakes: processes of their own,
// judged by the built command in this process.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScheme } from '../../fixtures/index.js'
import { SignatureScheme } from '../../harness/schemes/index.js'
import type { RequirementId } from '../../spec/index.js'
import { some } from '../testing/whole.js'
import { judgeHere } from '../testing/command.js'

const command = judgeHere()

/** A busy machine takes its time: six answers of nine seconds alone took more than 110 s there. */
const limit = { timeout: 240_000 }

/** The behaviours in which a provider's documentation shows its library: each is right. */
const right: readonly (readonly [scheme: string, behaviour: string])[] = [
  ['stripe', 'right'],
  ['github', 'right'],
  ['slack', 'right'],
  ['slack', 'right-by-hand'],
  ['shopify', 'right'],
  ['discord', 'right'],
  ['zoom', 'right'],
  ['standard-webhooks', 'right'],
  ['svix', 'right'],
]

type Mistake = readonly [scheme: string, behaviour: string, breaks: RequirementId]

/** Mistakes, and a requirement that each must fail on: one for each requirement, and the others. */
const mistakes: readonly Mistake[] = [
  ['slack', 'parses-and-writes-again', 'RCV-009'],
  ['stripe', 'forgets-the-time', 'RCV-006'],
  ['github', 'compares-a-prefix', 'RCV-005'],
  ['github', 'takes-the-older-header', 'RCV-011'],
  ['zoom', 'sends-the-token-back', 'RCV-032'],
]
const moreMistakes: readonly Mistake[] = [
  ['stripe', 'parses-and-writes-again', 'RCV-009'],
  ['stripe', 'compares-a-prefix', 'RCV-005'],
  ['github', 'parses-and-writes-again', 'RCV-009'],
  ['slack', 'forgets-the-time', 'RCV-006'],
  ['shopify', 'parses-and-writes-again', 'RCV-009'],
  ['discord', 'parses-first', 'RCV-009'],
  ['discord', 'takes-everything', 'RCV-005'],
  ['standard-webhooks', 'parses-and-writes-again', 'RCV-009'],
  ['slack', 'ignores-the-challenge', 'RCV-032'],
  ['discord', 'answers-a-ping-as-a-command', 'RCV-032'],
]

/** The cases for a requirement: a mistake fails its own, and the correct endpoints pass all. */
const casesOf: Partial<Record<RequirementId, string>> = {
  'RCV-005': 'receiver/signature/refuses-*',
  'RCV-006': 'receiver/timestamp/refuses-stale',
  'RCV-009': 'receiver/raw-body/accepts-*',
  'RCV-011': 'receiver/entries/*',
  'RCV-032': 'receiver/handshakes/*',
}

/** Secrets in the form of each scheme; `schemes.test.ts` checks the form. */
function secretOf({ data: { key, algorithm } }: SignatureScheme): string {
  const bytes = Buffer.from('a secret of 32 bytes for testing')
  if (key.form !== 'text') return (key.prefix ?? '') + bytes.toString(key.form)
  return `text-secret-for-${algorithm}`
}

async function judged(name: string, behaviour: string, ...more: readonly string[]) {
  const scheme = new SignatureScheme(loadScheme(name))
  const secret = secretOf(scheme)
  const program = join(import.meta.dirname, 'testing/providers/endpoint.mjs')
  const child = spawn(process.execPath, [program, name, behaviour], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, WEBHOOK_SECRET: scheme.receiverSecret(secret) },
  })
  try {
    const port = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
    const url = `http://127.0.0.1:${port}/webhooks`
    return await command(['receiver', '--scheme', name, '--url', url, '--secret', secret, ...more])
  } finally {
    child.stdin.end()
  }
}

describe.concurrent('a receiver with the library of', limit, () => {
  // The longest begins first. It answers 202 after nine seconds, whatever the request: the body was read before.
  it('github that parses first gets the line of its framework first, under any selection', async () => {
    const { code, report } = await judged('github', 'parses-first', '--case', 'receiver/timestamp/*')
    expect(code).toBe(1)
    expect(report?.cases.flatMap(({ violates = [] }) => violates)).toContain('RCV-005')
    expect(report?.likely_causes?.[0]?.text).toContain('a body that an earlier parser has already read')
    expect(report?.likely_causes?.[0]?.remedy).toContain('before express.json()')
  })

  it.each(right)('%s, %s, is conformant', async (scheme, behaviour) => {
    const { code, report } = await judged(scheme, behaviour)
    expect(report?.cases.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([])
    // Without a count of handled events, effects are not judged.
    expect(report?.verdict).toBe('partial')
    expect(code).toBe(0)
  })

  it.each(some(mistakes, moreMistakes))('%s that %s violates %s', async (scheme, behaviour, requirement) => {
    const { code, out, report } = await judged(scheme, behaviour, '--case', casesOf[requirement] ?? '*')
    expect(report?.cases.flatMap(({ violates = [] }) => violates)).toContain(requirement)
    const remedies = out.split('\n').filter((line) => line.startsWith('  remedy'))
    if (scheme !== 'standard-webhooks') expect(remedies.join('\n')).not.toMatch(/webhook-(id|timestamp|signature)/)
    expect(code).toBe(1)
  })

  it.each([
    // Its answer is the HMAC of a text of the attacker's choice: the signature of any message.
    ['zoom', 'answers-any-validation', 1, ['receiver/handshakes/refuses-forged-ones']],
    // A mistake that helps no attacker is advice.
    ['slack', 'answers-any-challenge', 0, ['receiver/handshakes/refuses-other-forged-ones']],
    ['github', 'refuses-a-ping', 0, ['receiver/handshakes/answers-others']],
  ] as const)('%s that %s ends with exit code %d and fails %j', async (scheme, behaviour, exit, failed) => {
    const { code, report } = await judged(scheme, behaviour, '--case', 'receiver/handshakes/*')
    expect(code).toBe(exit)
    expect(report?.cases.filter(({ status }) => status === 'failed').map(({ id }) => id)).toEqual(failed)
  })

  it('the sentence of a handshake that is not answered names the request and the answer', async () => {
    const { out } = await judged('slack', 'ignores-the-challenge', '--case', 'receiver/handshakes/*')
    expect(out).toContain('url_verification is answered with a 2xx and the value of challenge')
    expect(out).toMatch(/expected {2}the answer with a 2xx and the value of challenge.*\n.*got {7}"200 ok"/)
  })

  it('stripe that parses first refuses everything, as with another secret: no verdict, and both are named', async () => {
    const { code, err } = await judged('stripe', 'parses-first')
    expect(code).toBe(3)
    expect(err).toMatch(
      /check that --secret is the secret of this endpoint, and that nothing before its check \(a body parser, a proxy\) changes the body/,
    )
  })
})
