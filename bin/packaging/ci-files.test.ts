// action.yml, the Dockerfile and what `conformance init` writes, as far as they run outside their CI system.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadSchema } from '../../fixtures/index.js'
import { validateFile } from '../../harness/reading.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { executed, program } from '../testing/command.js'

const root = resolve(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'conformance-ci-'))

let server: ReferenceServer
beforeAll(async () => {
  server = await startReferenceServer({ control: true })
})
afterAll(() => server.close())

function execute(file: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  return executed(file, args, { cwd, env })
}

function folder(name: string): string {
  const path = join(work, name)
  mkdirSync(path, { recursive: true })
  return path
}

interface Step {
  readonly id?: string
  readonly name?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: { readonly path?: string }
}

interface KubernetesJob {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          { readonly command: readonly string[]; readonly env?: readonly { name: string; value?: string }[] },
        ]
      }
    }
  }
}

/** An error without code, message and fix, as a HAR file holds it. */
const refusal = {
  startedDateTime: '2026-01-02T03:04:05.000Z',
  time: 20,
  request: { method: 'GET', url: 'https://api.example/v1/events', headers: [] },
  response: { status: 401, headers: [], content: { size: 2, text: '{}' } },
}

describe('action.yml', () => {
  const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>
    readonly runs: { readonly using: string; readonly steps: readonly Step[] }
  }

  /** Runs the step that judges, with its inputs as the runner would hand them over. */
  async function judge(inputs: Readonly<Record<string, string>>) {
    const cwd = folder(`action-${Math.random().toString(36).slice(2)}`)
    const step = action.runs.steps.find((each) => each.id === 'judge')
    const env = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const [, input = ''] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value) ?? []
      expect(Object.keys(action.inputs)).toContain(input)
      return [name, inputs[input] ?? action.inputs[input]?.default ?? '']
    })
    const files = { GITHUB_OUTPUT: join(cwd, 'output'), GITHUB_STEP_SUMMARY: join(cwd, 'summary') }
    const ended = await execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], cwd, {
      ...Object.fromEntries(env),
      ...files,
      GITHUB_ACTION_PATH: root,
    })
    const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
    return { ...ended, cwd, output: read(files.GITHUB_OUTPUT), summary: read(files.GITHUB_STEP_SUMMARY) }
  }

  it('pastes no input into a script, and hands every input on', () => {
    const steps = action.runs.steps
    for (const each of steps) expect(each.run ?? '').not.toMatch(/\$\{\{/)
    const used = JSON.stringify(steps.map((each) => each.env))
    for (const name of Object.keys(action.inputs)) expect(used).toContain(`\${{ inputs.${name} }}`)
  })

  it('judges a service, with reports, a summary and outputs', async () => {
    const inputs = { 'base-url': server.url, 'api-key': server.apiKey, case: 'service/webhooks/*' }
    const { code, output, summary, cwd, err } = await judge(inputs)
    expect(code, err).toBe(0)
    expect(output).toBe('verdict=partial\nexit-code=0\n')
    expect(summary).toMatch(/## partial/)
    for (const name of ['report.json', 'junit.xml', 'report.html', 'summary.md'])
      expect(readFileSync(join(cwd, 'conformance-report', name), 'utf8')).not.toContain(server.apiKey)
    expect((await judge({ ...inputs, strict: 'true' })).output).toMatch(/exit-code=1/)
  })

  it('judges a library behind a driver', async () => {
    const driver = `'${process.execPath}' '${join(root, 'fixtures/drivers/verifier.mjs')}'`
    const { code, output, err } = await judge({ subject: 'verifier', driver, suite: 'verifier/signing' })
    expect(err).not.toMatch(/conformance:/)
    expect(output).toMatch(/exit-code=0/)
    expect(code).toBe(0)
  })

  it('judges traffic that was recorded', async () => {
    const captures = ['a.har', 'b.har'].map((name) => {
      const path = join(folder('captures'), name)
      writeFileSync(path, JSON.stringify({ log: { version: '1.2', entries: name === 'a.har' ? [refusal] : [] } }))
      return path
    })
    const { code, output, err } = await judge({ subject: 'traffic', from: captures.join('\n') })
    expect(code, err).toBe(1)
    expect(output).toBe('verdict=nonconformant\nexit-code=1\n')
    expect((await judge({ subject: 'traffic', from: captures[1] ?? '' })).output).toMatch(/exit-code=3/)
  })

  it('takes what stands in an input as data', async () => {
    const hostile = '$(touch pwned) `touch pwned` "; touch pwned; #'
    for (const input of ['subject', 'base-url', 'case', 'config']) {
      const inputs = { 'base-url': server.url, 'api-key': server.apiKey, case: 'service/webhooks/*', [input]: hostile }
      const { code, cwd, err } = await judge(inputs)
      expect(code, `${input}: ${err}`).toBeGreaterThan(1)
      expect(existsSync(join(cwd, 'pwned'))).toBe(false)
    }
  })
})

describe('the Dockerfile', () => {
  it('copies only what is there, runs as nobody special, and gets all it needs past .dockerignore', () => {
    const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
    expect(copied.length).toBeGreaterThan(8)
    const admitted = readFileSync(join(root, '.dockerignore'), 'utf8')
    for (const each of copied) {
      expect(existsSync(join(root, each)), each).toBe(true)
      expect(admitted).toContain(`!${each.replace('./', '')}\n`)
    }
    expect(lines).toContain('USER node')
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    const kept = lines.filter((line) => line.startsWith('COPY --from=')).join('\n')
    // Pages, pictures and examples are for people; the program in the container reads none of them.
    const ofProgram = files.filter(
      (each) => !/^!|^(docs|examples)(\/|$)|\.png$|^[^*]*\/?[A-Z]+\.md$|\*\/README\.md$/.test(each),
    )
    for (const part of new Set(ofProgram.map((each) => each.split('/')[0] ?? '')))
      expect(kept).toContain(`/kit/${part}`)
  })
})

describe('conformance init', () => {
  const init = (cwd: string, ...args: readonly string[]) => execute(process.execPath, [program, 'init', ...args], cwd)

  it('writes a configuration that works', async () => {
    const cwd = folder('works')
    const { code, out } = await init(cwd, '--base-url', server.url, '--control-url', server.controlUrl ?? '')
    expect(code).toBe(0)
    expect(out).toMatch(/SERVICE_API_KEY and CONTROL_KEY/)
    const keys = { SERVICE_API_KEY: server.apiKey, CONTROL_KEY: server.controlKey ?? '' }
    const args = [program, 'run', '--case', 'service/webhooks/*']
    const ran = await execute(process.execPath, args, cwd, keys)
    expect(ran.out).toMatch(/7 passed/)
    expect(ran.code).toBe(0)
    expect((await execute(process.execPath, args, cwd)).err).toMatch(/SERVICE_API_KEY/)
  })

  it('writes comments that are valid once they are no comments any more', async () => {
    const cwd = folder('comments')
    await init(cwd)
    const text = readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')
    const opened = text.replace(/^# ((?: +)?(?:- \{|[a-z_.]+:).*)$/gm, '$1')
    const value = parse(opened) as Record<string, unknown>
    expect(Object.keys(value)).toEqual(
      expect.arrayContaining(['from', 'inboxes', 'receiver', 'triggers', 'retry_depth', 'control']),
    )
    validateFile(value, loadSchema('config'), (path) => path.join('.'))
  })

  it('writes a GitHub workflow whose steps run', async () => {
    const cwd = folder('github')
    await init(cwd, '--base-url', server.url, '--ci', 'github')
    const workflow = parse(readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')) as {
      readonly jobs: { readonly conformance: { readonly steps: readonly Step[] } }
    }
    const scripts = workflow.jobs.conformance.steps.flatMap((each) => each.run ?? [])
    expect(await runScripts(scripts, cwd)).toBe(0)
    expect(existsSync(join(cwd, 'conformance.xml'))).toBe(true)
    expect(readFileSync(join(cwd, 'summary'), 'utf8')).toMatch(/## partial/)
    const kept = workflow.jobs.conformance.steps.flatMap((each) => each.with?.path?.trim().split('\n') ?? [])
    expect(kept).toEqual(['conformance.html', 'conformance.xml'])
    for (const name of kept) expect(existsSync(join(cwd, name)), name).toBe(true)
  })

  it('writes a GitHub workflow of parts, whose reports its last job merges', async () => {
    const cwd = folder('github-shards')
    expect((await init(cwd, '--base-url', server.url, '--ci', 'github', '--shards', '2')).code).toBe(0)
    const { jobs } = parse(readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')) as {
      readonly jobs: Readonly<
        Record<
          'part' | 'conformance',
          { readonly strategy: { readonly matrix: unknown }; readonly steps: readonly Step[] }
        >
      >
    }
    expect(jobs.part.strategy.matrix).toEqual({ shard: [1, 2] })
    const [judging] = jobs.part.steps.filter((each) => each.run !== undefined)
    expect(judging?.env).toMatchObject({ CONFORMANCE_SHARD: '${{ matrix.shard }}/2', SHARD: '${{ matrix.shard }}' })
    for (const SHARD of ['1', '2'])
      expect(await runScripts([judging?.run ?? ''], cwd, { SHARD, CONFORMANCE_SHARD: `${SHARD}/2` })).toBe(0)
    const merging = jobs.conformance.steps.flatMap((each) => each.run ?? [])
    expect(await runScripts(merging, cwd)).toBe(0)
    expect(readFileSync(join(cwd, 'summary'), 'utf8')).toMatch(/4 passed, 0 failed, 0 errored, 3 skipped/)
  })

  it('writes parallel GitLab jobs, and one that merges their reports', async () => {
    const cwd = folder('gitlab-shards')
    await init(cwd, '--base-url', server.url, '--ci', 'gitlab', '--shards', '2')
    type GitlabJob = { readonly stage: string; readonly parallel?: number; readonly script: readonly string[] }
    const file = parse(readFileSync(join(cwd, '.gitlab/conformance.yml'), 'utf8')) as Readonly<
      Record<string, GitlabJob>
    >
    const { 'conformance part': part, conformance: whole } = file
    expect([part?.parallel, part?.stage, whole?.stage, file['stages']]).toEqual([
      2,
      'judge',
      'report',
      ['judge', 'report'],
    ])
    for (const CI_NODE_INDEX of ['1', '2'])
      expect(await runScripts(part?.script ?? [], cwd, { CI_NODE_INDEX, CI_NODE_TOTAL: '2' })).toBe(0)
    expect(await runScripts(whole?.script ?? [], cwd)).toBe(0)
    expect(readFileSync(join(cwd, 'conformance.xml'), 'utf8').match(/<testcase /g)).toHaveLength(7)
  })

  it('writes an Indexed Job, and one that waits for its reports and merges them', async () => {
    const cwd = folder('kubernetes')
    await init(cwd, '--base-url', server.url, '--ci', 'kubernetes', '--shards', '2')
    const [, part, whole] = parseAllDocuments(readFileSync(join(cwd, 'conformance-job.yaml'), 'utf8')).map(
      (each) => each.toJS() as KubernetesJob,
    )
    expect(part?.spec).toMatchObject({ completionMode: 'Indexed', completions: 2, parallelism: 2 })
    const env = Object.fromEntries(
      part?.spec.template.spec.containers[0].env?.map(({ name, value }) => [name, value ?? server.apiKey]) ?? [],
    )
    const script = (job: KubernetesJob | undefined) =>
      (job?.spec.template.spec.containers[0].command[2] ?? '').replaceAll('/reports', cwd)
    const merged = runScripts([script(whole)], cwd)
    for (const JOB_COMPLETION_INDEX of ['1', '0'])
      expect(await runScripts([script(part)], cwd, { ...env, JOB_COMPLETION_INDEX })).toBe(0)
    expect(await merged).toBe(0)
    expect(readFileSync(join(cwd, 'conformance.html'), 'utf8')).toContain('partial')
  })

  it('writes a GitLab job whose script runs', async () => {
    const cwd = folder('gitlab')
    await init(cwd, '--base-url', server.url, '--ci', 'gitlab')
    const { conformance } = parse(readFileSync(join(cwd, '.gitlab/conformance.yml'), 'utf8')) as {
      readonly conformance: {
        readonly script: readonly string[]
        readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } }
      }
    }
    expect(await runScripts(conformance.script, cwd)).toBe(0)
    for (const path of [conformance.artifacts.reports.junit, ...conformance.artifacts.paths])
      expect(existsSync(join(cwd, path)), path).toBe(true)
  })

  /** Runs the lines of a job in bash; `npx` is this checkout, whatever version they pin. */
  async function runScripts(
    scripts: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const tools = folder('tools')
    const npx = `#!/bin/sh\n[ "$1" = --yes ] && case "$2" in webhook-conformance@[0-9]*) shift 2; exec '${process.execPath}' '${program}' "$@";; esac\nexit 9\n`
    writeFileSync(join(tools, 'npx'), npx)
    chmodSync(join(tools, 'npx'), 0o755)
    for (const script of scripts) {
      const ended = await execute('bash', ['-e', '-c', script], cwd, {
        PATH: `${tools}:${process.env['PATH'] ?? ''}`,
        SERVICE_API_KEY: server.apiKey,
        CONFORMANCE_CASE: 'service/webhooks/*',
        GITHUB_STEP_SUMMARY: join(cwd, 'summary'),
        ...env,
      })
      if (ended.code !== 0) return ended.code
    }
    return 0
  }

  it('never replaces a file, nor stands a second configuration beside one', async () => {
    const cwd = folder('kept')
    writeFileSync(join(cwd, 'conformance.config.json'), '{}')
    const refused = await init(cwd)
    expect(refused.err).toMatch(/conformance\.config\.json already there/)
    expect(refused.code).toBe(2)
    expect(existsSync(join(cwd, 'conformance.config.yaml'))).toBe(false)
    expect((await init(cwd, '--force')).code).toBe(0)
    expect((await init(cwd)).code).toBe(2)
  })

  it('writes the script of a sender, and a workflow that runs it', async () => {
    const cwd = folder('sender')
    expect((await init(cwd, '--subject', 'sender')).out).toMatch(/set CONFORMANCE_SECRET, then: conformance sender/)
    const refused = await execute('./send-one.sh', [], cwd)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/call your program here/)
    const workflow = readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')
    expect(workflow).toContain('sender --trigger ./send-one.sh')
    expect(workflow).toContain('CONFORMANCE_SECRET: ${{ secrets.CONFORMANCE_SECRET }}')
    const odd = folder('odd-sender')
    const trigger = "curl -H 'a: b' http://127.0.0.1:9/ # one"
    await init(odd, '--subject', 'sender', '--trigger', trigger, '--ci', 'gitlab')
    expect(existsSync(join(odd, 'send-one.sh'))).toBe(false)
    const { conformance } = parse(readFileSync(join(odd, '.gitlab/conformance.yml'), 'utf8')) as {
      readonly conformance: { readonly script: readonly string[] }
    }
    const words = conformance.script[0]?.replace(/^npx --yes \S+/, 'printf "%s\\n"') ?? ''
    expect((await execute('sh', ['-c', words], odd)).out.split('\n')).toContain(trigger)
  })

  it('writes a workflow that judges captures', async () => {
    const cwd = folder('traffic')
    await init(cwd, '--subject', 'traffic', '--base-url', 'https://api.example/', '--ci', 'gitlab')
    mkdirSync(join(cwd, 'captures'))
    writeFileSync(join(cwd, 'captures/one.har'), JSON.stringify({ log: { version: '1.2', entries: [refusal] } }))
    const { conformance } = parse(readFileSync(join(cwd, '.gitlab/conformance.yml'), 'utf8')) as {
      readonly conformance: { readonly script: readonly string[] }
    }
    expect(await runScripts(conformance.script, cwd)).toBe(1)
    expect(readFileSync(join(cwd, 'conformance.xml'), 'utf8')).toContain('observe/errors/are-complete')
  })

  it('refuses what makes no sense, and a folder it cannot write', async () => {
    const cwd = folder('refused')
    expect((await init(cwd, '--ci', 'jenkins')).err).toMatch(
      /--ci jenkins: expected github, gitlab, kubernetes or none/,
    )
    expect((await init(cwd, '--subject', 'client')).err).toMatch(
      /--subject client: expected service, sender or traffic/,
    )
    expect((await init(cwd, '--base-url', 'nonsense')).err).toMatch(/--base-url nonsense/)
    expect((await init(cwd, '--shards', '0')).err).toMatch(/--shards 0: expected/)
    expect((await init(cwd, '--subject', 'sender', '--shards', '2')).err).toMatch(/--shards: only a service/)
    expect((await init(cwd, '--subject', 'traffic', '--ci', 'kubernetes')).err).toMatch(
      /--ci kubernetes: only a service/,
    )
    writeFileSync(join(cwd, 'file'), '')
    const { code, err } = await init(cwd, '--dir', 'file')
    expect(err).toMatch(/cannot be written/)
    expect(code).toBe(2)
  })

  const hasScript = spawnSync('script', ['--version']).status === 0
  it.skipIf(!hasScript)('asks on a terminal, again after nonsense (skipped where `script` is missing)', async () => {
    const cwd = folder('asked')
    const typed = ['nonsense', 'http://127.0.0.1:9', ...Array<string>(12).fill('')].join('\\n')
    const line = `printf '${typed}' | script -qec "'${process.execPath}' '${program}' init --ci gitlab" /dev/null`
    const { out } = await execute('bash', ['-c', line], cwd)
    expect(out).toMatch(/Base URL of the service\?/)
    expect(out).toMatch(/--base-url nonsense: expected/)
    expect(readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')).toMatch(/^base_url: http:\/\/127\.0\.0\.1:9$/m)
    expect(existsSync(join(cwd, '.gitlab/conformance.yml'))).toBe(true)
  })
})
