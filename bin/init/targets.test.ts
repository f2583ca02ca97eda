// `conformance init` for a receiver, a verifier, a client and a sender: its unchanged files are used by the next commands.
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../harness/webhook-sink.js'
import { commandHere, program } from '../testing/command.js'

const root = resolve(import.meta.dirname, '../..')
const drivers = join(root, 'fixtures/drivers')
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const otherSecret = 'whsec_AfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const node = `'${process.execPath}'`

const folders: string[] = []
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'init-'))
  folders.push(path)
  return path
}

/** A reference served by a process of its own; resolves to the first line it prints. */
async function served(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const child = spawn(process.execPath, [program, 'serve', ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout }))
    return JSON.parse(line) as Readonly<Record<string, string>>
  throw new Error(`serve ${args.join(' ')} printed nothing`)
}

let receiver: string
let trigger: string
let listen: string
beforeAll(async () => {
  listen = `127.0.0.1:${await freePort()}`
  const [first, second] = await Promise.all([
    served('receiver', '--secret', secret),
    served('sender', '--secret', secret, '--url', `http://${listen}/webhooks`),
  ])
  receiver = first['url'] ?? ''
  trigger = second['trigger'] ?? ''
})

const env = { CONFORMANCE_SECRET: secret }

describe('what it writes without asking', () => {
  it.each([
    ['receiver', () => ['--url', receiver], ['--case', 'receiver/signature/*']],
    ['verifier', () => ['--driver', `${node} '${drivers}/verifier.mjs'`], ['--suite', 'verifier/signing']],
    ['client', () => ['--driver', `${node} '${drivers}/client.mjs'`], ['--case', 'client/construction/*']],
    ['sender', () => ['--trigger', trigger, '--listen', listen], ['--case', 'sender/attempts/*']],
  ] as const)('%s: its command judges it', async (kind, given, chosen) => {
    const cwd = folder()
    const conformance = commandHere(cwd, env)
    const made = await conformance(['init', '--subject', kind, ...given(), '--ci', 'none'])
    expect([made.code, made.err]).toEqual([0, ''])
    expect(made.out).toMatch(new RegExp(`then: conformance ${kind}\\n|Next: conformance ${kind}\\n`))
    const text = readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')
    expect(text).not.toContain(secret)
    const ran = await conformance([kind, ...chosen, '--reporter', 'json=report.json'])
    const { verdict, summary } = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as {
      verdict: string
      summary: { cases: { passed: number } }
    }
    expect([ran.code, verdict], ran.out + ran.err).toEqual([0, 'partial'])
    expect(summary.cases.passed).toBeGreaterThan(0)
  })

  it.each(['verifier', 'client'])('%s: a driver to fill in; each skipped case names the place', async (kind) => {
    const conformance = commandHere(folder())
    expect((await conformance(['init', '--subject', kind, '--ci', 'none'])).out).toMatch(
      /Next: write driver\.mjs, then:/,
    )
    const { out, err, code } = await conformance([kind, '--case', `${kind}/*/*`, '--seed', '1'])
    expect(out + err).toMatch(/driver\.mjs: call your library here/)
    // Skipped is not passed: nothing was judged.
    expect(code).toBe(3)
  })

  it.each([
    ['receiver', '--url', 'https://a.example/hook?token=hunter2secret'],
    ['service', '--base-url', 'https://a.example/sk_live_0123456789abcdef'],
    ['service', '--control-url', 'https://a.example/aB3dE5fG7hI9jK1lM3nO5pQ7'],
  ])('writes no URL of a %s with a secret: %s', async (subject, option, url) => {
    const cwd = folder()
    const { code, out, err } = await commandHere(cwd, env)(['init', '--subject', subject, option, url, '--ci', 'none'])
    expect([code, err]).toEqual([2, expect.stringContaining(`${option}: the URL contains what looks like a secret`)])
    expect(out + err).not.toContain(url.slice(-12))
    expect(existsSync(join(cwd, 'conformance.config.yaml'))).toBe(false)
  })

  it('writes the variable that a URL refers to, which a run replaces', async () => {
    const cwd = folder()
    const conformance = commandHere(cwd, { ...env, HOOK_TOKEN: 'hunter2secret' })
    const url = `${receiver}?token=\${HOOK_TOKEN}`
    expect((await conformance(['init', '--subject', 'receiver', '--url', url, '--ci', 'none'])).code).toBe(0)
    expect(readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')).toContain('token=${HOOK_TOKEN}')
    const { out, err } = await conformance(['receiver', '--dry-run'])
    expect(out + err).not.toContain('hunter2secret')
  })

  it('describes several kinds in one file, of which each command reads its own', async () => {
    const cwd = folder()
    const conformance = commandHere(cwd, env)
    await conformance(['init', '--subject', 'verifier', '--driver', 'false', '--ci', 'none'])
    const { err, code } = await conformance(['receiver'])
    expect([code, err]).toEqual([2, expect.stringMatching(/receiver needs a target: .*endpoint\.url/)])
    expect((await conformance(['client'])).err).toMatch(/client needs a driver: .*client: \{ command/)
  })
})

describe.skipIf(spawnSync('script', ['--version']).status !== 0)(
  'on a terminal (skipped where `script` is missing)',
  () => {
    /** What the terminal shows once each line was typed, and the folder it was typed in. */
    function typed(lines: readonly string[], more: Readonly<Record<string, string>> = env) {
      const cwd = folder()
      const line = `printf '%s\\n' "$TYPED" | script -qec "${node} '${program}' init" /dev/null`
      const environment = { ...process.env, CONFORMANCE_SECRET: '', ...more, TYPED: lines.join('\n') }
      return new Promise<{ cwd: string; out: string; config: Record<string, unknown> }>((done) =>
        execFile('bash', ['-c', line], { cwd, env: environment }, (_error, out, err) => {
          const path = join(cwd, 'conformance.config.yaml')
          const config = existsSync(path) ? (parse(readFileSync(path, 'utf8')) as Record<string, unknown>) : {}
          done({ cwd, out: (out + err).replaceAll('\r', ''), config })
        }),
      )
    }

    it('prompts for the target, again after nonsense', async () => {
      const { out, config } = await typed(['library', 'traffic', 'https://api.example', 'none'])
      expect(out).toMatch(/What is judged \(service, receiver, verifier, client, sender, traffic\)\? \[service\]/)
      expect(out).toMatch(/--subject library: expected service, /)
      expect(config['base_url']).toBe('https://api.example')
    })

    it('sends a signed delivery to an endpoint, and reports it', async () => {
      const wrongPath = receiver.replace('/webhooks', '/hooks')
      const { out, config } = await typed(['receiver', 'sideways', '', wrongPath, 'n', receiver, 'none'])
      expect(out).toMatch(/--profile sideways: expected interface or standard-webhooks/)
      expect(out.match(/trying it with one signed delivery, up to 15 s/g)).toHaveLength(2)
      expect(out).toMatch(/no webhook endpoint here: answered 404; check the path/)
      expect(out).toMatch(/takes a signed delivery \(20\d\)/)
      expect(config['endpoint']).toEqual({ url: receiver, profile: 'interface' })
      const wrong = await typed(['receiver', '', receiver, 'y', 'none'], { CONFORMANCE_SECRET: otherSecret })
      expect(wrong.out).toMatch(
        /refuses a delivery signed with CONFORMANCE_SECRET \(4\d\d\): is that the secret it was given\?/,
      )
      expect(wrong.out).not.toContain(otherSecret)
      const none = await typed(['receiver', '', receiver, 'none'], {})
      expect(none.out).toMatch(/CONFORMANCE_SECRET is not set here[^]*somebody answers \(4\d\d\)/)
      const nobody = await typed(['receiver', '', `http://127.0.0.1:${await freePort()}/`, 'y', 'none'])
      expect(nobody.out).toMatch(/no answer: no connection to .*nothing listens there/)
    })

    it.each(['verifier', 'client'])('starts the driver of a %s', async (kind) => {
      const right = `${node} '${drivers}/${kind}.mjs'`
      const { out, config } = await typed([kind, 'exit 3', 'n', right, 'none'])
      expect(out.match(/trying the driver, up to \d+ s/g)).toHaveLength(2)
      expect(out).toMatch(/exited with 3/)
      expect(out).toMatch(/the driver answers: reference /)
      expect(config[kind]).toEqual({ command: right })
      const starter = await typed([kind, '', 'none'])
      expect(starter.out).toMatch(/driver\.mjs is written for you/)
      expect(existsSync(join(starter.cwd, 'driver.mjs'))).toBe(true)
    })

    it('runs the trigger of a sender, and checks its request', async () => {
      const { out, config } = await typed(['sender', '', listen, 'echo no queue >&2; exit 7', 'n', trigger, 'none'])
      expect(out.match(/trying the trigger, up to 60 s/g)).toHaveLength(2)
      expect(out).toMatch(/the trigger exited with 7: no queue/)
      expect(out).toMatch(/a delivery arrived, and its signature is right/)
      expect(config['sender']).toEqual({ trigger, listen, profile: 'interface' })
      const wrong = await typed(['sender', '', listen, trigger, 'y', 'none'], { CONFORMANCE_SECRET: otherSecret })
      expect(wrong.out).toMatch(/a delivery arrived, and does not verify: /)
    })
  },
)
