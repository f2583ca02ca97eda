// The built command as a black box, called in this process; `options.test.ts` starts it for real.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { loadSchema } from '../../fixtures/index.js'
import { commandHere, executed, program } from '../testing/command.js'

const folder = mkdtempSync(join(tmpdir(), 'conformance-'))

const conformance = commandHere(folder)

const quick = ['run', '--reference', '--case', 'service/webhooks/*', '--seed', '1']
let files = 0
/** A run with a configuration file of this text. */
function configured(text: string): readonly string[] {
  const path = join(folder, `${files++}.yaml`)
  writeFileSync(path, text)
  return ['run', '--base-url', 'http://127.0.0.1:9', '--api-key', 'key_of_nobody', '--config', path]
}

const endpoint = ['--url', 'http://127.0.0.1:9/']
const receiver = ['receiver', ...endpoint, '--secret', 'whsec_AAAA']

describe('wrong usage is one clear line and exit code 2', () => {
  const wrong: readonly (readonly [
    name: string,
    args: readonly string[],
    says: RegExp,
    env?: Record<string, string>,
  ])[] = [
    ['no target', ['run'], /--base-url/],
    ['an empty variable', ['run'], /--base-url/, { CONFORMANCE_BASE_URL: '' }],
    [
      'a journal of the reference',
      ['run', '--reference', '--journal', 'j'],
      /--journal: the reference server ends with/,
    ],
    [
      'two reports in one file',
      [...quick, '--reporter', 'json=a.json', '--reporter', 'ctrf=./a.json'],
      /two reports would be written to \.\/a\.json/,
    ],
    [
      'an address of another machine',
      ['listen', '--forward-to', 'http://127.0.0.1:9/', '--listen', '203.0.113.1:8443'],
      /--listen 203\.0\.113\.1:8443 is not an address of this machine/,
    ],
    [
      'a header that each delivery has',
      ['send', ...endpoint, '--secret', 'whsec_AAAA', '--header', 'webhook-id: x'],
      /--header webhook-id: each delivery sets this header itself/,
    ],
    [
      'own cases among requirements',
      ['list', '--requirements', '--cases', 'x.mjs'],
      /--cases lists cases, and --requirements does not/,
    ],
    [
      'a port for requests without a service',
      ['observe', '--webhooks', 'http://127.0.0.1:9/', '--listen', '127.0.0.1:0'],
      /--listen: say where requests are forwarded to: --base-url/,
    ],
    ['two targets', ['run', '--reference', '--base-url', 'http://127.0.0.1:9'], /two targets/],
    ['a bad URL', ['run', '--base-url', 'nonsense'], /nonsense/],
    [
      'a base URL with a query',
      ['run', '--base-url', 'http://127.0.0.1:9/?v=1'],
      /--base-url: the URL must have no query/,
    ],
    ['an unknown case', ['run', '--reference', '--case', 'service/nothing/*'], /matches nothing/],
    ['an unknown suite', ['run', '--reference', '--suite', 'service/nothing'], /matches nothing/],
    ['an unreadable configuration', ['run', '--config', '/nowhere/at/all.yaml'], /cannot be read/],
    ['a bad level', [...quick, '--level', 'may'], /--level may/],
    ['a bad shard', [...quick, '--shard', '3/2'], /--shard 3\/2/],
    ['a bad seed', [...quick, '--seed', 'x'], /--seed x/],
    ['a bad number of runs', [...quick, '--runs', '0'], /--runs 0/],
    ['a bad concurrency', [...quick, '--concurrency', '-1'], /--concurrency -1/],
    ['a bad time', [...quick, '--timeout', 'soon'], /--timeout soon/],
    ['a bad retry depth', ['run', '--base-url', 'http://127.0.0.1:9', '--retry-depth', '8'], /--retry-depth 8/],
    ['an unknown reporter', [...quick, '--reporter', 'smoke'], /--reporter smoke/],
    ['a report that cannot be written', [...quick, '--reporter', 'json=/nowhere/at/all.json'], /cannot be written/],
    ['an unknown option', ['run', '--frob'], /--frob/],
    ['a word too many', ['run', '--reference', 'extra'], /run: unexpected extra/],
    [
      'a URL without its option',
      ['receiver', 'http://127.0.0.1:9/'],
      /receiver: unexpected http:\S+: put --url before it/,
    ],
    [
      'a base URL without its option',
      ['run', 'http://127.0.0.1:9/'],
      /run: unexpected http:\S+: put --base-url before it/,
    ],
    [
      'an empty variable without quotes',
      ['receiver', '--secret', '--url', 'http://127.0.0.1:9/'],
      /receiver: --secret: its value is missing: --url follows; is a variable not set\?/,
    ],
    [
      'an empty variable before a long option',
      ['run', '--control-key', '--base-url', 'http://127.0.0.1:9/'],
      /run: --control-key: its value is missing: --base-url follows; is a variable not set\?/,
    ],
    ['a secret without its option', ['run', 'sk_live_1234567890abcdef'], /run: unexpected "\$SECRET"/],
    [
      'control without a key',
      ['run', '--base-url', 'http://127.0.0.1:9', '--control-url', 'http://127.0.0.1:9'],
      /--control-key/,
    ],
    ['a receiver without a secret', ['receiver', '--url', 'http://127.0.0.1:9'], /--secret/],
    ['a verifier without a driver', ['verifier'], /driver/],
    ['an unknown id', ['explain', 'XYZ-999'], /XYZ-999/],
    ['an unreadable vector file', ['vectors', 'check', '/nowhere/at/all.json'], /cannot be read/],
    ['a bad vector count', ['vectors', 'generate', '--count', '0'], /--count 0/],
    ['a number out of its range', configured('retry_depth: 99'), /retry_depth is 99: expected at most 7/],
    ['a file in UTF-16', configured('\0b\0a\0s\0e'), /this is not text in UTF-8/],
    ['more and less at once', [...quick, '--quiet', '--verbose'], /--quiet and --verbose contradict each other/],
    [
      'a port that is out of range',
      [...receiver, '--url', 'http://127.0.0.1:99999/'],
      /99999\/: .*A port is at most 65535/,
    ],
    ['a header of the delivery', [...receiver, '--header', 'webhook-id: x'], /--header webhook-id: each delivery sets/],
    [
      'a header without a colon',
      [...receiver, '--header', 'X-Gateway'],
      /--header: expected "name: value", with a colon/,
    ],
    ['a secret in blanks', ['receiver', ...endpoint, '--secret', ' whsec_AAAA'], /it has blanks or quotes around it/],
    ['a secret of another form', ['receiver', ...endpoint, '--secret', 'AAAA'], /it does not begin with whsec_/],
    ['a secret that is not base64', ['sender', '--secret', 'whsec_!'], /what follows whsec_ is not/],
    ['a folder for a file', ['run', '--config', '.'], /cannot be read \(EISDIR: it is a folder/],
    [
      'a folder that is not there',
      [...quick, '--reporter', 'json=/no/r.json'],
      /\(ENOENT: there is no such file or folder\)/,
    ],
    ['a bad vector format', ['vectors', 'generate', '--format', 'xml'], /--format xml/],
  ]
  for (const [name, args, prints, env] of wrong)
    it(name, async () => {
      const { code, err } = await conformance(args, env)
      expect(err).toMatch(prints)
      expect(code).toBe(2)
      // What a terminal of 80 columns makes of it.
      const rows = err.trimEnd().split('\n').map((line) => Math.ceil(line.length / 80)) // prettier-ignore
      expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(6)
    })
})

it('a quiet plan counts the cases, and lists none', async () => {
  const { code, out } = await conformance([...quick, '--dry-run', '--quiet'])
  expect(code).toBe(0)
  expect(out).toMatch(/^Plan for the service .*\n\n\d+ cases would run/)
  expect(out).not.toContain('service/webhooks/creates-with-201')
})

describe('exit codes', () => {
  it('is 3 if nothing listens at the URL', async () => {
    const { code, err } = await conformance(['run', '--base-url', 'http://127.0.0.1:9', '--api-key', 'key_of_nobody'])
    expect(err).toMatch(/no connection to 127\.0\.0\.1:9 \(ECONNREFUSED: nothing listens there\)/)
    expect(code).toBe(3)
  })

  it('is 3 for a driver that does not start', async () => {
    expect((await conformance(['verifier', '--', 'no-such-program-anywhere'])).code).toBe(3)
  })

  it('is 0 for a part of the cases, and 1 under --strict', async () => {
    expect((await conformance(quick)).code).toBe(0)
    expect((await conformance([...quick, '--strict'])).code).toBe(1)
  })

  it('is 1 for a known failure that passed, matched nothing or expired, and 2 for an open reason', async () => {
    const known = (text: string) => {
      const path = join(folder, 'known.yaml')
      writeFileSync(path, text)
      return conformance([...quick, '--known-failures', path])
    }
    expect((await known('- { case: service/webhooks/creates-with-201, reason: not yet }')).out).toMatch(
      /passed: remove/,
    )
    expect((await known('- { case: service/nothing/at-all, reason: not yet }')).code).toBe(1)
    expect(
      (await known("- { case: service/webhooks/creates-with-201, reason: not yet, until: '2020-01-01' }")).out,
    ).toMatch(/passed: remove its entry/)
    expect((await known('- { case: service/webhooks/creates-with-201, reason: "TODO: say why" }')).code).toBe(2)
    expect((await known('- { case: service/webhooks/creates-with-201 }')).code).toBe(2)
  })
})

describe('reports', () => {
  it('are all written by one run; the JSON report matches its schema, and none contains a secret', async () => {
    const names = ['json', 'junit', 'ctrf', 'html', 'markdown', 'github', 'tap'] as const
    const file = (name: string) => join(folder, `report.${name}`)
    const { code } = await conformance([...quick, ...names.flatMap((name) => ['--reporter', `${name}=${file(name)}`])])
    expect(code).toBe(0)
    const report = JSON.parse(readFileSync(file('json'), 'utf8')) as unknown
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    const validate = ajv.compile(loadSchema('report'))
    expect(validate(report), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true)
    for (const name of names) {
      const text = readFileSync(file(name), 'utf8')
      expect(text.length).toBeGreaterThan(20)
      expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{10}/)
    }
  })

  it('without a file go to standard output, and the other output to standard error', async () => {
    const { out, err } = await conformance([...quick, '--reporter', 'json'])
    expect((JSON.parse(out) as { schema: string }).schema).toBe('conformance-report/1')
    expect(err).toMatch(/Verdict/)
  })

  it('of shards are merged to the report of the whole', async () => {
    const file = (shard: number) => join(folder, `shard-${shard}.json`)
    for (const shard of [1, 2])
      await conformance([...quick, '--shard', `${shard}/2`, '--reporter', `json=${file(shard)}`])
    const merged = JSON.parse((await conformance(['report', file(1), file(2), '--reporter', 'json'])).out) as {
      summary: { cases: { passed: number } }
    }
    expect(merged.summary.cases.passed).toBe(8)
  })
})

describe('other commands', () => {
  it.skipIf(process.platform === 'win32').each(['json', 'ndjson'])('checks vectors from a pipe: %s', async (format) => {
    const piped = '"$1" "$2" vectors generate --count 2000 --format "$3" | "$1" "$2" vectors check /dev/stdin'
    const args = ['-c', piped, 'sh', process.execPath, program, format]
    expect(await executed('sh', args, { cwd: folder })).toMatchObject({ code: 0, out: '2000 vectors, all right\n' })
  })

  it('prints its version at once', async () => {
    expect((await conformance(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('prints the plan and runs nothing', async () => {
    expect((await conformance([...quick, '--dry-run'])).out).toMatch(/8 cases would run/)
  })

  it('lists and explains cases and requirements', async () => {
    expect((await conformance(['list', '--subject', 'receiver'])).out).toMatch(/receiver\/timestamp\/refuses-stale/)
    expect((await conformance(['explain', 'RTY-002'])).out).toMatch(/5 seconds/)
    expect((await conformance(['explain', 'receiver/timestamp/refuses-stale'])).out).toMatch(/RCV-006/)
  })

  it('generates vectors that it checks', async () => {
    const file = join(folder, 'vectors.ndjson')
    expect(
      (await conformance(['vectors', 'generate', '--count', '200', '--seed', '9', '--format', 'ndjson', '--out', file]))
        .code,
    ).toBe(0)
    expect((await conformance(['vectors', 'check', file])).out).toMatch(/200 vectors/)
  })

  it('writes a configuration and never replaces one', async () => {
    expect((await conformance(['init', '--dir', join(folder, 'new')])).code).toBe(0)
    expect((await conformance(['init', '--dir', join(folder, 'new')])).code).toBe(2)
  })

  it('writes through no link without --force', async () => {
    const [project, elsewhere] = [join(folder, 'linked'), join(folder, 'elsewhere')]
    for (const path of [project, elsewhere]) mkdirSync(path)
    symlinkSync(elsewhere, join(project, '.github'))
    const refusal = await conformance(['init', '--dir', project])
    expect(refusal).toMatchObject({
      code: 2,
      err: expect.stringMatching(/\.github is a link to another folder.*--force/),
    })
    expect([readdirSync(project), readdirSync(elsewhere)]).toEqual([['.github'], []])
    expect((await conformance(['init', '--dir', project, '--force'])).code).toBe(0)
    expect(readdirSync(elsewhere)).toContain('workflows')
    const dangling = join(folder, 'dangling')
    mkdirSync(dangling)
    symlinkSync(join(folder, 'nowhere'), join(dangling, 'conformance.config.yaml'))
    expect((await conformance(['init', '--dir', dangling])).err).toContain('already there')
    expect(readdirSync(dangling)).toEqual(['conformance.config.yaml'])
  })
})
