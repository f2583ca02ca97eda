// Reports, known failures, shards and --watch as a user meets them: the built command in this process, judging a driver that is correct
// or broken as a file next to it states.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../harness/index.js'
import { startReferenceServer } from '../../reference/server/index.js'
import { commandHere, program, type Ended } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-reports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const environment = { ...process.env, NO_COLOR: '1' }

const run = commandHere(folder)
const conformance = (...args: readonly string[]) => run(args)

const verifier = pathToFileURL(resolve(import.meta.dirname, '../../dist/reference/verifier/index.js')).href
/** Accepts stale deliveries while the file `mode` allows it. */
const driver = `import { readFileSync } from 'node:fs'
import { verifyWebhook as verify } from ${JSON.stringify(verifier)}
export { sign, WebhookVerificationError } from ${JSON.stringify(verifier)}
export function verifyWebhook(options) {
  const isBroken = readFileSync(${JSON.stringify(at('mode'))}, 'utf8') === 'broken'
  const signedAt = Number(options.headers['webhook-timestamp'])
  return verify(isBroken && options.now > signedAt ? { ...options, now: signedAt } : options)
}
`
const command = [
  '--',
  process.execPath,
  resolve(import.meta.dirname, '../../fixtures/drivers/verifier.mjs'),
  pathToFileURL(at('driver.mjs')).href,
]
const stale = 'verifier/vectors/0015-stale-timestamp'
const few = ['--case', 'verifier/vectors/001[0-9]-*', '--seed', '1']

function judge(mode: 'right' | 'broken', ...args: string[]): Promise<Ended> {
  writeFileSync(at('mode'), mode)
  return conformance('verifier', ...few, ...args, ...command)
}

function readReport(name: string): Report {
  return JSON.parse(readFileSync(at(name), 'utf8')) as Report
}

beforeAll(async () => {
  writeFileSync(at('driver.mjs'), driver)
  await judge('broken', '--reporter', 'json=broken.json')
  await judge('right', '--reporter', 'json=right.json')
})

describe('known failures', () => {
  it('are written with their reasons open, refused so, and forgive once the reason is there', async () => {
    const written = await judge('broken', '--write-known-failures', 'known.yaml')
    expect(written.code).toBe(1)
    expect(written.err).toMatch(/known failures written to known\.yaml; say why/)
    const text = readFileSync(at('known.yaml'), 'utf8')
    expect(text).toMatch(
      /# .*expected .*\n- case: verifier\/vectors\/0015-stale-timestamp\n {2}reason: "?TODO: say why/,
    )
    const open = await judge('broken', '--known-failures', 'known.yaml')
    expect(open.err).toMatch(/known\.yaml:\d+:\d+: the reason of verifier\/\S+ is empty/)
    expect(open.code).toBe(2)
    writeFileSync(at('known.yaml'), text.replaceAll(/reason: .*/g, 'reason: the clock is repaired next week'))
    const forgiven = await judge('broken', '--known-failures', 'known.yaml', '--reporter', 'json=forgiven.json')
    expect(forgiven.code).toBe(0)
    expect(forgiven.out).toMatch(/^known +verifier\/.*known failure \(the clock is repaired next week\)/m)
    const report = readReport('forgiven.json')
    expect(report.verdict).toBe('partial')
    expect(report.cases.find((result) => result.id === stale)).toMatchObject({
      known_failure: true,
      known_failure_reason: 'the clock is repaired next week',
    })
  })

  it('that passed, match nothing or expired fail the run in every format', async () => {
    const entries = [
      { case: stale, reason: 'repaired' },
      { case: 'verifier/vectors/no-such', reason: 'a slip of the pen' },
      { case: 'verifier/vectors/0600-not-run-today', reason: 'old', until: '2020-01-01' },
    ]
    const existing = 'verifier/vectors/0001-'
    const { out } = await conformance('list', '--subject', 'verifier')
    const [, first = ''] = new RegExp(`(${existing}\\S+)`).exec(out) ?? []
    const file = JSON.stringify(entries.map((entry) => (entry.until === undefined ? entry : { ...entry, case: first })))
    writeFileSync(at('stale.json'), file)
    const names = ['json', 'junit', 'ctrf', 'html', 'markdown', 'github', 'tap']
    const outputs = names.flatMap((name) => ['--reporter', `${name}=stale-report.${name}`])
    const ended = await judge('right', '--known-failures', 'stale.json', ...outputs, '--badge', 'stale.svg')
    expect(ended.code, ended.err).toBe(1)
    for (const text of [ended.out, ...names.map((name) => readFileSync(at(`stale-report.${name}`), 'utf8'))]) {
      expect(text).toMatch(/0015-stale-timestamp passed: remove its entry/)
      expect(text).toMatch(/no-such matches no case/)
      expect(text).toMatch(/expired on 2020-01-01/)
    }
    expect(readFileSync(at('stale.svg'), 'utf8')).toContain('known failures out of date')
    expect((await conformance('report', 'stale-report.json', '--reporter', 'json')).code).toBe(1)
  })

  it('are listed once each, and keep their entry if their case did not run', async () => {
    const entry = `- { case: ${stale}, reason: slow }\n`
    writeFileSync(at('twice.yaml'), entry + entry)
    const twice = await judge('right', '--known-failures', 'twice.yaml')
    expect(twice.err).toMatch(/twice\.yaml:2:3: verifier\/\S+ is listed twice/)
    expect(twice.code).toBe(2)
    const other = 'verifier/vectors/0021-other'
    writeFileSync(at('kept.yaml'), entry)
    const { out } = await conformance('list', '--subject', 'verifier')
    const [, elsewhere = other] = /(verifier\/vectors\/0100-\S+)/.exec(out) ?? []
    writeFileSync(at('kept.yaml'), `- { case: ${elsewhere}, reason: elsewhere }\n${entry}`)
    await judge('right', '--known-failures', 'kept.yaml', '--write-known-failures', 'kept.yaml')
    expect(readFileSync(at('kept.yaml'), 'utf8')).toBe(`- case: ${elsewhere}\n  reason: elsewhere\n`)
  })

  it('of another kind of target are ignored, even after they expire', async () => {
    const foreign = [
      { case: 'service/webhooks/creates-with-201', reason: 'of the service' },
      { case: 'client/emails/sends-a-cursor-as-it-is', reason: 'of the client', until: '2020-01-01' },
    ]
    writeFileSync(at('foreign.json'), JSON.stringify(foreign))
    expect((await judge('right', '--known-failures', 'foreign.json')).code).toBe(0)
    writeFileSync(at('foreign.json'), JSON.stringify([...foreign, { case: 'client/emails/no-such', reason: 'a slip' }]))
    const slip = await judge('right', '--known-failures', 'foreign.json')
    expect(slip.code).toBe(1)
    expect(slip.out.match(/matches no case|expired/g)).toHaveLength(1)
  })
})

describe('conformance report', () => {
  it('merges shards to the report of the whole run', async () => {
    for (const shard of [1, 2, 3])
      await judge('broken', '--shard', `${shard}/3`, '--reporter', `json=shard-${shard}.json`)
    const merged = await conformance('report', 'shard-1.json', 'shard-3.json', 'shard-2.json', '--reporter', 'json')
    expect(merged.code).toBe(1)
    const report = JSON.parse(merged.out) as Report
    const whole = readReport('broken.json')
    const outcomes = (one: Report) => one.cases.map((result) => [result.id, result.status])
    expect(outcomes(report)).toEqual(outcomes(whole))
    expect(report.summary).toEqual(whole.summary)
    expect(report.requirements).toEqual(whole.requirements)
    expect(report.verdict).toBe(whole.verdict)
    expect(report.note).toBeUndefined()
    const part = await conformance('report', 'shard-1.json', 'shard-3.json', '--reporter', 'json')
    expect((JSON.parse(part.out) as Report).note).toBe('missing: shard 2/3')
    expect(report.shards?.map(({ shard }) => shard)).toEqual(['1/3', '3/3', '2/3'])
  })

  it('has no verdict if a shard is missing, and no green badge for a part', async () => {
    const shard = { ...readReport('right.json'), shard: '1/2' }
    writeFileSync(at('alone.json'), JSON.stringify({ ...shard, verdict: 'partial' }))
    const { code, out } = await conformance('report', 'alone.json', '--reporter', 'json', '--badge', 'part.json')
    expect(JSON.parse(out)).toMatchObject({ verdict: 'none', note: 'missing: shard 2/2' })
    expect(code).toBe(3)
    expect(JSON.parse(readFileSync(at('part.json'), 'utf8'))).toMatchObject({ message: 'no verdict', isError: true })
  })

  it('notes parts of different seeds, and parts that began hours apart', async () => {
    const { cases, ...rest } = readReport('right.json')
    const half = Math.floor(cases.length / 2)
    const part = { ...rest, shard: '1/2', cases: cases.slice(0, half) }
    writeFileSync(at('near.json'), JSON.stringify(part))
    const far = { ...rest, shard: '2/2', seed: 99, started_at: '2020-01-01T00:00:00.000Z', cases: cases.slice(half) }
    writeFileSync(at('far.json'), JSON.stringify(far))
    const { code, out } = await conformance('report', 'near.json', 'far.json')
    expect(out).toMatch(/Note +the parts ran with different seeds \(1, 99\); the parts began \d+(\.\d)? hours apart/)
    expect(code).toBe(0)
  })

  const shard = (index: number) => ['--shard', `${index}/2`, '--reporter', `json=ended-${index}.json`]
  const merge = () => conformance('report', 'ended-1.json', 'ended-2.json', '--reporter', 'json')

  it('has no verdict if a shard did not reach its end', async () => {
    await judge('right', ...shard(2))
    const gone = await conformance('verifier', ...few, ...shard(1), '--', 'no-such-driver')
    expect(gone.code).toBe(3)
    const merged = await merge()
    expect(merged.code).toBe(3)
    const report = JSON.parse(merged.out) as Report
    expect(report).toMatchObject({
      verdict: 'none',
      note: expect.stringMatching(/no-such-driver.*could not be started/),
    })
    expect(report.subject).toEqual(readReport('ended-2.json').subject)
    const cut = readReport('right.json')
    const cases = cut.cases.map((result) => ({
      ...result,
      status: 'skipped',
      reason: 'not reached',
      not_reached: true,
    }))
    const note = 'the run was interrupted'
    writeFileSync(at('ended-1.json'), JSON.stringify({ ...cut, shard: '1/2', verdict: 'none', note, cases }))
    expect((await conformance('report', 'ended-1.json')).code).toBe(3)
    expect((await merge()).code).toBe(3)
  })

  it('fails where one shard failed, and passes where each passed', async () => {
    await judge('right', ...shard(1))
    await judge('broken', ...shard(2))
    expect((await merge()).code).toBe(1)
    await judge('right', ...shard(2))
    expect((await merge()).code).toBe(0)
  })

  it('counts a failure that one report forgave and another did not, in either order', async () => {
    writeFileSync(at('some-known.json'), JSON.stringify([{ case: stale, reason: 'repaired next week' }]))
    const narrow = ['verifier', '--case', stale, '--seed', '1']
    writeFileSync(at('mode'), 'broken')
    await conformance(...narrow, '--known-failures', 'some-known.json', '--reporter', 'json=forgave.json', ...command)
    await conformance(...narrow, '--reporter', 'json=forgave-not.json', ...command)
    for (const files of [
      ['forgave.json', 'forgave-not.json'],
      ['forgave-not.json', 'forgave.json'],
    ]) {
      const merged = await conformance('report', ...files, '--reporter', 'json')
      expect(merged.code).toBe(1)
      expect((JSON.parse(merged.out) as Report).summary.cases).toMatchObject({ failed: 1, known_failures: 0 })
    }
  })

  it('converts to every format', async () => {
    const names = ['pretty', 'junit', 'ctrf', 'html', 'markdown', 'github', 'tap']
    const outputs = names.flatMap((name) => ['--reporter', `${name}=converted.${name}`])
    expect((await conformance('report', 'broken.json', ...outputs)).code).toBe(1)
    for (const name of names) expect(readFileSync(at(`converted.${name}`), 'utf8')).toContain('0015-stale-timestamp')
    expect(readFileSync(at('converted.junit'), 'utf8')).toMatch(/"likely cause" value="[^"\\]+; remedy: [^"\\]+"/)
    expect((await conformance('report', 'broken.json', '--reporter', 'github')).out).toMatch(
      /^::error title=conformance::/m,
    )
    await conformance('report', 'right.json', '--badge', 'badge.json')
    expect(JSON.parse(readFileSync(at('badge.json'), 'utf8'))).toMatchObject({ schemaVersion: 1, label: 'conformance' })
  })

  it('compares two reports side by side: fixed and broken cases', async () => {
    const fixed = await conformance('report', '--compare', 'broken.json', 'right.json')
    expect(fixed.code).toBe(0)
    expect(fixed.out).toMatch(/broken\.json +right\.json/)
    expect(fixed.out).toMatch(/verdict +nonconformant +partial/)
    expect(fixed.out).toMatch(/0015-stale-timestamp +failed +passed/)
    expect(fixed.out).toMatch(/Fixed: [1-9][^]*Broken: 0/)
    const broke = await conformance('report', '--compare', 'right.json', 'broken.json', '--reporter', 'json')
    expect(JSON.parse(broke.out)).toMatchObject({ schema: 'conformance-comparison/1', changes: { fixed: [] } })
    for (const name of ['markdown', 'html'])
      expect((await conformance('report', '--compare', 'right.json', 'broken.json', '--reporter', name)).out).toContain(
        stale,
      )
    const side = ['--compare', 'right.json', 'broken.json', '--reporter', 'interface=interface.html']
    const silent = await conformance('report', ...side)
    expect(silent).toMatchObject({ code: 0, out: '' })
    expect(readFileSync(at('interface.html'), 'utf8')).toMatch(/"label":"right\.json"[^]*"label":"broken\.json"/)
    const single = await conformance('report', 'broken.json', '--reporter', 'interface')
    expect(single.out).toContain('"kind":"interface"')
    expect((await conformance('report', '--compare', 'right.json', 'broken.json', '--reporter', 'tap')).code).toBe(2)
  })

  it('reports invalid input', async () => {
    const whole = readFileSync(at('right.json'), 'utf8')
    writeFileSync(at('cut.json'), whole.slice(0, whole.length / 2))
    writeFileSync(at('empty.json'), '')
    writeFileSync(at('vectors.json'), '{"schema":"signature-vectors/1"}')
    writeFileSync(at('later.json'), whole.replace('conformance-report/1', 'conformance-report/2'))
    writeFileSync(at('odd.json'), whole.replace('"partial"', '"splendid"'))
    writeFileSync(at('service.json'), whole.replace('"kind": "verifier"', '"kind": "service"'))
    const shard = ['1', '2'].map((index) => at(`of-two-${index}.json`))
    for (const [index, file] of shard.entries())
      writeFileSync(file, JSON.stringify({ ...readReport('right.json'), shard: `${index + 1}/2`, seed: index }))
    writeFileSync(at('of-four.json'), JSON.stringify({ ...readReport('right.json'), shard: '3/4', seed: 9 }))
    writeFileSync(at('believed.json'), JSON.stringify({ ...readReport('broken.json'), verdict: 'conformant' }))
    writeFileSync(at('blamed.json'), JSON.stringify({ ...readReport('right.json'), verdict: 'nonconformant' }))
    const right = readReport('right.json')
    const [one, ...others] = right.cases
    const changed = (name: string, over: object) => writeFileSync(at(name), JSON.stringify({ ...right, ...over }))
    changed('version.json', { tool: { ...right.tool, version: '0.0.1' }, started_at: '2026-01-01T00:00:00.000Z' })
    changed('selection.json', { selection: { level: 'must' }, started_at: '2026-01-01T00:00:00.000Z' })
    changed('level.json', { cases: [{ ...one, level: one?.level === 'must' ? 'should' : 'must' }, ...others] })
    changed('title.json', { cases: [{ ...one, title: 'another' }, ...others] })
    changed('fewer.json', { cases: others })
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['nowhere.json'], /nowhere\.json: cannot be read \(ENOENT: there is no such file or folder\)/],
      [['cut.json'], /cut\.json: not a JSON report \(it is cut short\)/],
      [['empty.json'], /empty\.json: the file is empty/],
      [['vectors.json'], /not a report of this kit but signature-vectors\/1/],
      [['later.json'], /conformance-report\/2, expected conformance-report\/1/],
      [['believed.json'], /its verdict is conformant, but a must case failed/],
      [['blamed.json'], /its verdict is nonconformant, but no must case failed/],
      [['odd.json'], /verdict is a string: expected one of conformant/],
      [['right.json', 'right.json'], /are the same report/],
      [['of-two-1.json', 'of-two-1.json'], /are both shard 1\/2/],
      [['right.json', 'version.json'], /version\.json was written by version 0\.0\.1 of the kit, right\.json by/],
      [['right.json', 'selection.json'], /are of different selections \(\{"level":"must"\}/],
      [['level.json'], new RegExp(`level\\.json: the level of ${one?.id ?? ''} is .*: the file was changed`)],
      [['title.json'], /title\.json: the title of .* is "another"/],
      [['fewer.json'], new RegExp(`fewer\\.json: 1 of the selected cases is missing, such as ${one?.id ?? ''}`)],
      [['of-two-1.json', 'of-four.json'], /shards of different runs/],
      [['right.json', 'service.json'], /judges a service/],
      [['--compare', 'right.json', 'service.json'], /judges a service/],
      [['--compare', 'right.json'], /at least two/],
      [['--compare', 'right.json', 'broken.json', '--reporter', 'junit=x.xml'], /junit cannot show a comparison/],
      [['right.json', '--badge', 'x.png'], /\.svg/],
    ]
    const ended = await Promise.all(wrong.map(([args]) => conformance('report', ...args)))
    for (const [index, [, prints]] of wrong.entries()) {
      const { code, out, err } = ended[index] ?? { code: 0, out: '', err: '' }
      expect(err).toMatch(prints)
      expect(err.trim().split('\n')).toHaveLength(1)
      expect([code, out]).toEqual([2, ''])
    }
  })
})

/** A process one can talk to; resolves `until` when what it wrote so far matches, from where the last match ended. */
function talkTo(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: environment })
  let text = ''
  let seen = 0
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
      wake()
    })
  const ended = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      done(code)
      wake()
    })
  })
  return {
    child,
    ended,
    async until(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(text.slice(seen))
        if (found !== null) {
          const part = text.slice(seen, seen + found.index + found[0].length)
          seen += found.index + found[0].length
          return part
        }
        if (child.exitCode !== null) throw new Error(`ended without ${String(pattern)}: ${text}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}

describe('--watch', () => {
  it('computes the summary itself, and accepts a byte order mark', async () => {
    const { summary, ...rest } = readReport('broken.json')
    const boast = { ...rest, summary: { ...summary, cases: { ...summary.cases, failed: 0, passed: 99 } } }
    writeFileSync(at('boast.json'), `\ufeff${JSON.stringify(boast)}`)
    const { code, out } = await conformance('report', 'boast.json', '--reporter', 'json')
    expect(code).toBe(1)
    expect((JSON.parse(out) as Report).summary).toEqual(summary)
  })

  it('reruns the failed cases on Enter and on a change, and exits with the latest result', async () => {
    writeFileSync(at('mode'), 'broken')
    const run = talkTo(['verifier', ...few, '--reporter', 'json=watched.json', '--watch', at('mode'), ...command])
    await run.until(/Enter reruns the (\d+) that failed/)
    const all = readReport('watched.json').cases.length
    run.child.stdin.write('\n')
    const again = await run.until(/Enter reruns the \d+ that failed/)
    expect(again).toMatch(/failed {3}verifier\/vectors\/0015-stale-timestamp/)
    expect(Number(/ (\d+) cases?, seed/.exec(again)?.[1])).toBeLessThan(all)
    writeFileSync(at('mode'), 'right')
    const repaired = await run.until(/Enter reruns every case/)
    expect(repaired).toMatch(new RegExp(`Cases +${all} passed, 0 failed`))
    run.child.stdin.write('q\n')
    expect(await run.ended).toBe(0)
    expect(readReport('watched.json').cases).toHaveLength(all)
  })

  it('ends with the input, and refuses a path that does not exist', async () => {
    const run = talkTo(['verifier', ...few, '--watch', ...command])
    run.child.stdin.end()
    expect(await run.ended).toBe(0)
    expect((await judge('right', '--watch', 'nowhere')).err).toMatch(/--watch nowhere: there is no such file/)
  })
})

describe('--watch on a service', () => {
  it('ignores the journal of its own run, and is refused together with --state', { timeout: 60_000 }, async () => {
    const server = await startReferenceServer()
    const target = [
      'run',
      '--base-url',
      server.url,
      '--api-key',
      server.apiKey,
      '--case',
      'service/webhooks/creates-with-201',
    ]
    try {
      const run = talkTo([...target, '--journal', 'watched.jsonl', '--watch', '.'])
      await run.until(/Enter reruns/)
      utimesSync(at('watched.jsonl'), new Date(), new Date())
      await pause(1_500)
      run.child.stdin.write('q\n')
      expect(await run.ended).toBe(0)
      expect(await run.until(/[^]*$/)).not.toContain('Testing')
      expect((await conformance(...target, '--state', 's.json', '--watch')).err).toContain(
        '--state: --watch reruns cases',
      )
    } finally {
      await server.close()
    }
  })
})

describe('an interrupted run', () => {
  it('prints the results so far, writes its reports, and exits with 3', async () => {
    const run = talkTo([
      'run',
      '--reference',
      '--verbose',
      '--reporter',
      'json=cut-run.json',
      '--reporter',
      'tap=cut.tap',
    ])
    await run.until(/passed {3}service\//)
    run.child.kill('SIGINT')
    expect(await run.ended).toBe(3)
    expect(await run.until(/Verdict +none/)).toMatch(/Note +the run was interrupted; these are the results so far/)
    const report = readReport('cut-run.json')
    expect(report.verdict).toBe('none')
    const left = report.cases.filter((result) => result.status !== 'passed')
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(report.cases.length)
    expect(new Set(left.map((result) => result.reason))).toEqual(new Set(['not reached: the run was ended before']))
    expect(report.summary.cases['not_reached']).toBe(left.length)
    expect(readFileSync(at('cut.tap'), 'utf8')).toMatch(/Bail out! the run was interrupted/)
    expect(existsSync(at('cut.tap'))).toBe(true)
  })
})
