// Programs that send webhooks as a provider does, right and with the usual mistakes: processes of their own, which sign without the kit.
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RequirementId } from '../../spec/index.js'
import { some } from '../testing/whole.js'
import { judgeHere } from '../testing/command.js'

const command = judgeHere()

/** A busy machine takes its time. */
const limit = { timeout: 240_000 }
const program = join(import.meta.dirname, 'testing/providers/send.mjs')
const secret = 'a-secret-of-text-for-senders'
const keys = generateKeyPairSync('ed25519')
const publicBytes = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
/** What a receiver of an Ed25519 scheme is given. */
const publicKeys: Readonly<Record<string, string>> = {
  discord: publicBytes.toString('hex'),
  'standard-webhooks-v1a': `whpk_${publicBytes.toString('base64')}`,
}
process.env['PRIVATE_KEY'] = String(keys.privateKey.export({ format: 'pem', type: 'pkcs8' }))
process.env['WEBHOOK_SECRET'] = secret

const quick = ['--case', 'sender/attempts/*', '--case', 'sender/retries/keep-the-schedule']

async function judged(scheme: string, behaviour: string, ...more: readonly string[]) {
  const trigger = `'${process.execPath}' '${program}' ${scheme} ${behaviour}`
  const own = ['sender', '--scheme', scheme, '--secret', publicKeys[scheme] ?? secret, '--listen', '127.0.0.1:0']
  return command([...own, '--schedule', '2s,2s', '--trigger', trigger, ...more])
}

type Mistake = readonly [scheme: string, behaviour: string, breaks: RequirementId, text: RegExp]

/** Mistakes, and the requirement and the place that each must be reported with: one for each requirement, and the others. */
const mistakes: readonly Mistake[] = [
  ['stripe', 'takes-milliseconds', 'SDR-003', /t= of stripe-signature: expected digits: Unix seconds/],
  ['github', 'writes-it-again', 'SDR-005', /sha256=<hex> in x-hub-signature-256/],
  ['stripe', 'sends-a-form', 'SDR-009', /expected {2}JSON\n/],
  ['github', 'names-each-attempt', 'SDR-029', /x-github-delivery of the retry/],
  ['slack', 'keeps-the-time', 'SDR-030', /x-slack-request-timestamp/],
  ['discord', 'writes-it-again', 'SDR-005', /x-signature-ed25519/],
]
const moreMistakes: readonly Mistake[] = [
  ['stripe', 'writes-it-again', 'SDR-005', /v1=<hex> in stripe-signature.*The body was parsed and serialized again/],
  ['stripe', 'keeps-the-time', 'SDR-030', /t= of stripe-signature/],
  ['slack', 'writes-it-again', 'SDR-005', /v0=<hex> in x-slack-signature/],
  ['slack', 'takes-milliseconds', 'SDR-003', /x-slack-request-timestamp/],
  [
    'slack',
    'sends-plain-text-of-a-form',
    'SDR-009',
    /JSON, or application\/x-www-form-urlencoded with that content-type/,
  ],
  ['discord', 'takes-milliseconds', 'SDR-003', /x-signature-timestamp/],
]

describe.concurrent('a sender that signs as', limit, () => {
  it.each(['stripe', 'github'])('%s is conformant', async (scheme) => {
    const { code, report } = await judged(scheme, 'right')
    expect(report?.cases.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([])
    expect(report?.verdict).toBe('conformant')
    expect(code).toBe(0)
  })

  it.each(['slack', 'discord', 'standard-webhooks-v1a', 'zoom'])('%s has no failure', async (scheme) => {
    const { code, report } = await judged(scheme, 'right', ...quick)
    expect(report?.cases.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([])
    const { status } = report?.cases.find(({ id }) => id === 'sender/retries/keep-the-schedule') ?? {}
    expect(status).toBe('passed')
    expect(report?.verdict).toBe('partial')
    expect(code).toBe(0)
  })

  it.each(some(mistakes, moreMistakes))('%s and %s violates %s', async (scheme, behaviour, requirement, text) => {
    const { code, out, report } = await judged(scheme, behaviour, ...quick)
    expect(code).toBe(1)
    expect(report?.cases.flatMap(({ violates = [] }) => violates)).toEqual([requirement])
    expect(out).toMatch(text)
    expect(JSON.stringify(report?.requirements.filter(({ status }) => status === 'violated'))).not.toMatch(/webhook-id/)
    expect(out).not.toContain(secret)
    expect(out).not.toMatch(/webhook-(id|timestamp|signature)(?!-standard)/)
  })

  it.each(['stripe', 'github', 'slack'])('%s with another secret has no verdict', async (scheme) => {
    const { code, out, report } = await judged(scheme, 'has-another-secret', ...quick)
    expect(code).toBe(3)
    expect(report?.cases.filter(({ status }) => status === 'failed')).toEqual([])
    expect(out).toContain('no signature of this run matches --secret')
    expect(out).not.toContain(secret)
  })

  it('slack may send forms, as its slash commands do', async () => {
    const { code, report } = await judged('slack', 'sends-a-form')
    expect(report?.cases.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([])
    expect(report?.requirements.find(({ id }) => id === 'SDR-009')?.status).toBe('verified')
    expect(code).toBe(0)
  })

  it('discord may keep the time of its first attempt: no age is refused', async () => {
    const { code, report } = await judged('discord', 'keeps-the-time', ...quick)
    expect(report?.cases.filter(({ status }) => status === 'failed')).toEqual([])
    expect(code).toBe(0)
  })

  it('zoom, whose events have no id and the same bytes, is not judged by its retries', async () => {
    const { code, report } = await judged('zoom', 'repeats-itself')
    expect(report?.cases.filter(({ status }) => status === 'failed' || status === 'errored')).toEqual([])
    const { reason = '' } = report?.cases.find(({ id }) => id === 'sender/retries/keep-the-schedule') ?? {}
    expect(reason).toContain('needs events with bodies of their own')
    expect(code).toBe(0)
  })
})

describe('conformance sender --scheme', () => {
  it.each([
    [['--profile', 'interface'], /--profile interface has the interface's own signature: leave out --scheme stripe/],
    [['--header-names', 'svix'], /--header-names: the scheme stripe names its headers itself/],
    [['--secret', ''], /--secret/],
  ])('refuses %s', limit, async (more, text) => {
    const { code, err } = await judged('stripe', 'right', ...more)
    expect(err).toMatch(text)
    expect(code).toBe(2)
  })

  it('refuses a key that has not the form of the scheme', limit, async () => {
    const { code, err } = await judged('discord', 'right', '--secret', 'whsec_c2VjcmV0')
    expect(err).toMatch(/--secret: expected hexadecimal digits; give it as Discord gives it out/)
    expect(code).toBe(2)
  })
})
