// The first thing a stranger sees: the likely cause of many failures at once, in words, with the remedy. The endpoints make common
// mistakes, over real sockets.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { judgeHere, type Judged } from '../testing/command.js'

const command = judgeHere()

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

interface Mistake {
  readonly key?: Uint8Array
  /** The bytes that are verified instead of the received ones. */
  readonly body?: (raw: Buffer) => string | Buffer
  /** How far its clock is from the right time, in seconds. */
  readonly clockSeconds?: number
  readonly verifiesNothing?: boolean
  readonly answers?: Readonly<Record<string, string>>
}

/** An endpoint that verifies rightly but for its mistake; resolves to its URL. */
async function endpoint(mistake: Mistake): Promise<string> {
  const now = () => Date.now() / 1000 + (mistake.clockSeconds ?? 0)
  const isValid = (headers: IncomingHttpHeaders, raw: Buffer): boolean => {
    if (mistake.verifiesNothing === true) return true
    const text = (name: string) => String(headers[`webhook-${name}`] ?? '')
    const timestamp = text('timestamp')
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() - Number(timestamp)) > 300) return false
    const body = mistake.body?.(raw) ?? raw
    const mac = createHmac('sha256', mistake.key ?? key)
      .update(`${text('id')}.${timestamp}.`)
      .update(body)
    const right = Buffer.from(`v1,${mac.digest('base64')}`)
    return (
      text('id') !== '' &&
      text('signature')
        .split(' ')
        .some((entry) => isEqual(Buffer.from(entry), right))
    )
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      for (const [name, value] of Object.entries(mistake.answers ?? {})) response.setHeader(name, value)
      if (mistake.clockSeconds !== undefined) response.setHeader('date', new Date(now() * 1000).toUTCString())
      let isTaken = false
      try {
        isTaken = isValid(request.headers, Buffer.concat(chunks))
      } catch {
        // An invalid JSON body.
      }
      response.writeHead(isTaken ? 204 : 401).end()
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Parses and serialises again, as `JSON.parse` and `JSON.stringify` do, and as Python's `json.dumps` does. */
const rewritten = (raw: Buffer) => JSON.stringify(JSON.parse(raw.toString()))
const asPythonDoes = (raw: Buffer) =>
  JSON.stringify(JSON.parse(raw.toString()), null, 1).replace(/\n */g, ' ').replaceAll('{ ', '{').replaceAll(' }', '}')

const suites = ['acceptance', 'signature', 'timestamp', 'raw-body'].flatMap((name) => ['--suite', `receiver/${name}`])

async function judged(mistake: Mistake, reporters: readonly string[] = []): Promise<Judged> {
  const target = ['--url', await endpoint(mistake), '--secret', secret]
  return command(['receiver', ...target, '--seed', '1', ...suites], { reporters })
}

/** The text of the causes, without its line breaks. */
function causesIn({ out }: Judged): string {
  const [, causes = ''] = /^(?:BROKEN|UNCLEAR)([^]*)/m.exec(out) ?? []
  return causes.replace(/\s+/g, ' ')
}

describe('an endpoint that refuses valid deliveries', () => {
  it('gets no verdict and one sentence about its secret if it refuses everything', async () => {
    const ended = await judged({ key: Buffer.from('another') })
    expect(ended.code).toBe(3)
    expect(ended.err).toMatch(/no result: .* check that --secret is the secret of this endpoint/)
    expect(ended.out).not.toMatch(/^(?:BROKEN|ADVICE) /m)
    expect(ended.out.split('\n').length).toBeLessThan(20)
  })

  it.each([
    ['uses the secret undecoded', { key: Buffer.from(secret) }, /secret's text used undecoded/],
    ['has no secret', { key: Buffer.alloc(0) }, /the key is empty/],
    [
      'writes the body again',
      { body: asPythonDoes },
      /parsed and serialized again: with a space after commas and colons/,
    ],
    ['has a clock that is late', { clockSeconds: -420 }, /The clock of the target is 7 minutes behind/],
  ] as const)('reads the cause if it %s', async (_, mistake, cause) => {
    const ended = await judged(mistake)
    expect(ended.code).toBe(1)
    expect(causesIn(ended)).toMatch(cause)
  })
})

describe('an endpoint that breaks many cases with one mistake', () => {
  it('reads that it parses before it verifies, and how its framework hands out the bytes', async () => {
    const ended = await judged({ body: rewritten, answers: { 'x-powered-by': 'Express' } })
    expect(causesIn(ended)).toContain('Bodies are verified after they were parsed and serialized again')
    expect(causesIn(ended)).not.toContain('fail alike')
    expect(causesIn(ended)).toContain("express.raw({ type: '*/*'")
    expect(ended.out).not.toContain('Spring')
  })

  it('reads that it verifies nothing', async () => {
    expect(causesIn(await judged({ verifiesNothing: true }))).toContain('Nothing is verified')
  })
})

it('every reporter prints the same cause', async () => {
  const { reports } = await judged({ body: rewritten }, ['junit', 'ctrf', 'html', 'markdown', 'github', 'tap'])
  expect(Object.keys(reports).length).toBe(7)
  for (const [name, text] of Object.entries(reports)) {
    expect(text, name).toContain('Bodies are verified after they were parsed and serialized again')
    expect(text, name).toContain('addContentTypeParser')
  }
})

/** On a busy machine the case that others depend on may have no verdict: then their own failures are reported. */
const unlessBusy = { timeout: 300_000, retry: 2 }

it(
  'a list that is empty without a cursor is one failure, and cases that read it are not evaluated',
  unlessBusy,
  async () => {
    const own = 'service/polling/is-oldest-first'
    const reads = 'service/org-isolation/keeps-events-apart'
    const cases = [own, reads].flatMap((id) => ['--case', id])
    const ended = await command(['run', '--reference', '--mutant', 'server/polls-from-now', ...cases])
    expect(ended.out.match(/^failed {3}\S+/gm)).toEqual([`failed   ${own}`])
    expect(causesIn(ended)).toContain('explains 1 failed, 1 not evaluated')
    const skipped = ended.report?.cases.find(({ id }) => id === reads)
    expect(skipped?.reason).toBe(`not evaluated because POL-002 failed in ${own}`)
  },
)

it(
  'a first retry at a wrong time is one failure; cases that follow from it are not evaluated',
  unlessBusy,
  async () => {
    const own = 'service/retries/second-attempt-after-5-seconds'
    const following = [
      'service/failures/keeps-the-schedule-after-5xx',
      'service/replay/keeps-the-schedule-for-a-failed-delivery',
      'service/private-names/is-checked-at-every-later-attempt-of-a-delivery',
    ]
    const cases = [own, ...following].flatMap((id) => ['--case', id])
    const ended = await command(['run', '--reference', '--mutant', 'server/first-retry-after-ten-seconds', ...cases])
    expect(ended.out.match(/^failed {3}\S+/gm)).toEqual([`failed   ${own}`])
    expect(causesIn(ended)).toMatch(/explains 1 failed, [123] not evaluated/)
    expect(causesIn(ended)).toContain('attempt 2, 5 s after attempt 1 expected at most 6 s after the end of attempt 1')
  },
)
