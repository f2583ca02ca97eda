// The dialogue of `conformance init` on a terminal, against a service: each answer is tried out as it is given.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../harness/webhook-sink.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { program } from '../testing/command.js'

const hasScript = spawnSync('script', ['--version']).status === 0
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Far above the usual time: its waits are for events that arrive at once. */
const longestMs = 240_000

/** What the terminal shows once each line was typed, and the folder it was typed in. */
function typed(lines: readonly string[], more: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), 'dialogue-'))
  folders.push(cwd)
  const line = `printf '%s\\n' "$TYPED" | script -qec "'${process.execPath}' '${program}' init --subject service --ci none" /dev/null`
  const env = { ...process.env, ...more, TYPED: lines.join('\n') }
  return new Promise<{ cwd: string; out: string }>((done) =>
    execFile('bash', ['-c', line], { cwd, env }, (_error, out, err) => done({ cwd, out: out + err })),
  )
}

function planned(cwd: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((done) =>
    execFile(process.execPath, [program, 'run', '--dry-run'], { cwd, env: { ...process.env, ...env } }, (_, out, err) =>
      done(out + err),
    ),
  )
}

test.skipIf(!hasScript)(
  'starts with the question that verifies most, tries each answer out, and writes them (skipped where `script` is missing)',
  async () => {
    const port = await freePort()
    const server = await startReferenceServer({ allow: [`127.0.0.1:${port}`] })
    const [one, two] = server.inboxes
    if (one === undefined || two === undefined) throw new Error('the reference has two inboxes')
    const keys = { SERVICE_API_KEY: server.apiKey, KEY_INBOX_1: one.apiKey, KEY_OF_TWO: two.apiKey }
    try {
      const from = `Probe <probe@${server.domain}>`
      const { cwd, out } = await typed(
        [
          [server.url, ''],
          ['nobody@nowhere.example', 'n', from],
          [one.id, one.address, 'KEY_OF_TWO', 'n', one.id, one.address, ''],
          [two.id, two.address, 'KEY_OF_TWO'],
          ['https://127.0.0.1:1/', `127.0.0.1:${port}`, 'n', `https://127.0.0.1:${port}/hooks/`, `127.0.0.1:${port}`],
          ['delivered@simulator.example', '', 'bounced@simulator.example', '', ''],
        ].flat(),
        keys,
      )
      expect(out).toMatch(/the key works: \d+ requirements could be verified with it alone/)
      const requested = [...out.matchAll(/conformance: ([a-z._ ]+): \+\d+ requirements?;/g)].map(([, name]) => name)
      expect(requested).toEqual(['from', 'inboxes', 'receiver.public_url', 'triggers for every event type'])
      expect(out).toMatch(/may not send: POST \/v1\/emails answered 403, sender_not_verified/)
      expect(out).toMatch(new RegExp(`its key is that of ${two.id}`))
      expect(out).toMatch(/https:\/\/127\.0\.0\.1:1\/ does not lead to/)
      expect(out).toMatch(new RegExp(`leads to 127\\.0\\.0\\.1:${port}`))
      expect(out).toMatch(/raised message\.bounced/)
      const text = readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')
      for (const key of Object.values(keys)) expect(text + out).not.toContain(key)
      expect(existsSync(join(cwd, 'conformance.config.schema.json'))).toBe(true)
      expect(text).toMatch(/^\$schema: \.\/conformance\.config\.schema\.json$/m)
      const [, verified = '0'] = /(\d+) of \d+ requirements could be verified/.exec(await planned(cwd, keys)) ?? []
      expect(Number(verified)).toBeGreaterThanOrEqual(120)
    } finally {
      await server.close()
    }
  },
  longestMs,
)

test.skipIf(!hasScript)(
  'writes the answers without trying them out if the key is not known',
  async () => {
    const { cwd, out } = await typed(
      ['http://127.0.0.1:9', '', 'probe@verified.example', ...Array<string>(14).fill('')],
      {
        SERVICE_API_KEY: '',
      },
    )
    expect(out).toMatch(/SERVICE_API_KEY is not set here: your answers are written down, but not tried out/)
    const text = readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')
    expect(text).toMatch(/^from: probe@verified\.example$/m)
    expect(text).toMatch(/^# inboxes:$/m)
  },
  longestMs,
)
