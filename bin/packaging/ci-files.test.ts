// action.yml, the Dockerfile and what `conformance init` writes, as far as they run outside their CI system.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadSchema } from '../../fixtures/index.js'
import { validateFile } from '../../harness/parsing.js'
import { startReferenceServer, type ReferenceServer } from '../../reference/server/index.js'
import { commandHere, executed, program } from '../testing/command.js'

const root = resolve(import.meta.dirname, '../..')
const work = mkdtempSync(join(tmpdir(), 'conformance-ci-'))

let server: ReferenceServer
beforeAll(async () => {
  server = await startReferenceServer({ control: true })
})
afterAll(async () => {
  await server.close()
  rmSync(work, { recursive: true, force: true })
})

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
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
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

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

/** Where the action has installed the kit, as the runner names it. */
const runnerTemp = join(work, 'runner')

/** One step of an action, with the inputs as the runner would hand them over. */
async function runStep(
  action: Action,
  { name, inputs, cwd }: { name: string; inputs: Readonly<Record<string, string>>; cwd: string },
  more: Readonly<Record<string, string>> = {},
) {
  const step = action.runs.steps.find((step) => step.name === name)
  const env = Object.entries(step?.env ?? {}).map(([variable, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value) ?? []
    expect(Object.keys(action.inputs)).toContain(input)
    return [variable, inputs[input] ?? action.inputs[input]?.default ?? '']
  })
  const files = { GITHUB_OUTPUT: join(cwd, 'output'), GITHUB_STEP_SUMMARY: join(cwd, 'summary') }
  const ended = await execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 9'], cwd, {
    ...more,
    ...Object.fromEntries(env),
    ...files,
    RUNNER_TEMP: runnerTemp,
  })
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  return { ...ended, cwd, output: read(files.GITHUB_OUTPUT), summary: read(files.GITHUB_STEP_SUMMARY) }
}

const quietly = { npm_config_prefer_offline: 'true', npm_config_fetch_retries: '0' }

/** What `npm pack` makes of this checkout, below the folder. */
function packed(cwd: string): string {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd]
  const out = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return (JSON.parse(out) as readonly [{ readonly filename: string }])[0].filename
}

/** Makes the result of the first step without a registry: the files of the tarball, with the dependencies of this checkout. */
function unpack(archive: string): void {
  const installed = join(runnerTemp, 'webhook-conformance/node_modules/webhook-conformance')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
}

const readAction = (path: string) => parse(readFileSync(path, 'utf8')) as Action
const action = readAction(join(root, 'action.yml'))

/** The action installs the tarball once, as every other step finds it. */
beforeAll(async () => {
  const cwd = folder('tarball')
  mkdirSync(runnerTemp, { recursive: true })
  const archive = packed(cwd)
  const install = { name: 'Install', inputs: { package: archive }, cwd }
  const { code, err } = await runStep(action, install, quietly)
  if (code === 0) return
  expect(err).toMatch(/ENOTCACHED|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|network|ETIMEDOUT|fetch failed/i)
  process.stderr.write('no registry and no cache: the packed files are unpacked, their dependencies linked\n')
  unpack(join(cwd, archive))
}, 180_000)

describe('action.yml', () => {
  /** Runs the step that judges. */
  function judge(inputs: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) {
    const cwd = folder(`action-${Math.random().toString(36).slice(2)}`)
    return runStep(action, { name: 'Judge', inputs, cwd }, more)
  }

  it('installs the published package in the version of the action, and reports an invalid version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(action.inputs['version']?.default).toBe(version)
    const cwd = folder('installs')
    const bin = folder('installs/bin')
    writeFileSync(
      join(bin, 'npm'),
      '#!/bin/sh\nfor word; do last=$word; done\necho "$last" >> "$ASKED"; echo "$*" >> "$ASKED.whole"\n',
    )
    chmodSync(join(bin, 'npm'), 0o755)
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ASKED: join(cwd, 'asked') }
    const hostile = '--global $(touch pwned) "; touch pwned; #'
    writeFileSync(join(cwd, 'kit.tgz'), '')
    const given = [{}, { version: '1.2.3' }, { package: './kit.tgz' }, { package: hostile }, { version: hostile }]
    for (const inputs of given)
      await runStep({ ...action, runs: action.runs }, { name: 'Install', inputs, cwd }, { ...env })
    const requested = readFileSync(env.ASKED, 'utf8').split('\n')
    expect(requested.slice(0, 2)).toEqual([`webhook-conformance@${version}`, 'webhook-conformance@1.2.3'])
    expect(requested[2]).toBe(join(realpathSync(cwd), 'kit.tgz'))
    expect(requested.slice(3, 5)).toEqual([hostile, `webhook-conformance@${hostile}`])
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
    await runStep(action, { name: 'Install', inputs: { package: 'git+https://host.example/kit.git#main' }, cwd }, env)
    const runsScripts = readFileSync(`${env.ASKED}.whole`, 'utf8')
      .split('\n')
      .map((line) => line.includes('scripts=false'))
    expect(runsScripts).toEqual([...given.map(() => false), true, false])
    const other = folder('installs/other')
    writeFileSync(join(other, 'package.json'), JSON.stringify({ name: 'another', version: '1.0.0' }))
    const wrong = await execute(
      'bash',
      [
        '--noprofile',
        '--norc',
        '-eo',
        'pipefail',
        '-c',
        action.runs.steps.find(({ name }) => name === 'Install')?.run ?? '',
      ],
      cwd,
      { PACKAGE: other, VERSION: '', RUNNER_TEMP: folder('installs/temp'), ...quietly },
    )
    expect([wrong.code, wrong.out]).toEqual([
      2,
      expect.stringContaining('::error::package: expected webhook-conformance'),
    ])
  })

  it('pastes no input into a script, and hands every input on', () => {
    const steps = action.runs.steps
    for (const step of steps) expect(step.run ?? '').not.toMatch(/\$\{\{/)
    const used = JSON.stringify(steps.map((step) => [step.env, step.with]))
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

  it('tests a library through the driver of the configuration', async () => {
    const config = join(folder('driven'), 'conformance.config.yaml')
    const command = `'${process.execPath}' '${join(root, 'fixtures/drivers/verifier.mjs')}'`
    writeFileSync(config, JSON.stringify({ verifier: { command } }))
    const { code, output, err } = await judge({ subject: 'verifier', config, suite: 'verifier/signing' })
    expect([code, output], err).toEqual([0, expect.stringContaining('exit-code=0')])
  })

  it('tests a library through a driver', async () => {
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
    const pattern = join(dirname(captures[0] ?? ''), '*.har')
    expect((await judge({ subject: 'traffic', from: pattern })).output).toMatch(/verdict=nonconformant/)
  })

  it('treats an input as data', async () => {
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
  it('copies existing files that .dockerignore admits, and runs unprivileged', () => {
    const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n')
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
    expect(copied.length).toBeGreaterThan(8)
    const admitted = readFileSync(join(root, '.dockerignore'), 'utf8')
    for (const path of copied) {
      expect(existsSync(join(root, path)), path).toBe(true)
      expect(admitted).toContain(`!${path.replace('./', '')}\n`)
    }
    expect(lines).toContain('USER node')
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    const kept = lines.filter((line) => line.startsWith('COPY --from=')).join('\n')
    // Pages, pictures and examples are for people; the program in the container reads none of them.
    const ofProgram = files.filter(
      (place) => !/^!|^(docs|examples)(\/|$)|\.png$|^[^*]*\/?[A-Z]+\.md$|\*\/README\.md$/.test(place),
    )
    for (const part of new Set(ofProgram.map((place) => place.split('/')[0] ?? '')))
      expect(kept).toContain(`/kit/${part}`)
  })
})

describe('conformance init', () => {
  const init = (cwd: string, ...args: readonly string[]) => commandHere(cwd)(['init', ...args])

  it('writes a configuration that works', async () => {
    const cwd = folder('works')
    const { code, out } = await init(cwd, '--base-url', server.url, '--control-url', server.controlUrl ?? '')
    expect(code).toBe(0)
    expect(out).toMatch(/SERVICE_API_KEY and CONTROL_KEY/)
    const keys = { SERVICE_API_KEY: server.apiKey, CONTROL_KEY: server.controlKey ?? '' }
    const args = [program, 'run', '--case', 'service/webhooks/*']
    const ran = await execute(process.execPath, args, cwd, keys)
    expect(ran.out).toMatch(/8 passed/)
    expect(ran.code).toBe(0)
    expect((await execute(process.execPath, args, cwd)).err).toMatch(/SERVICE_API_KEY/)
  })

  it('writes comments that are valid when uncommented', async () => {
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

  /** Runs the step of a workflow that uses the local action, with that action; the variables replace the secrets of the repository. */
  async function runWorkflow(cwd: string, secrets: Readonly<Record<string, string>>) {
    const text = readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')
    const workflow = parse(text) as { readonly jobs: { readonly conformance: { readonly steps: readonly Step[] } } }
    const { steps } = workflow.jobs.conformance
    const judging = steps.find((step) => step.uses?.startsWith('./') === true)
    const own = readAction(join(cwd, judging?.uses ?? '', 'action.yml'))
    const filled = (values: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          value.replace(/^\$\{\{ secrets\.(\w+) \}\}$/, (_, secret: string) => secrets[secret] ?? ''),
        ]),
      )
    const inputs = filled(judging?.with)
    for (const name of Object.keys(inputs)) expect(Object.keys(own.inputs)).toContain(name)
    const ended = await runStep(own, { name: 'Judge', inputs, cwd }, filled(judging?.env))
    const kept = steps.flatMap((step) =>
      step.uses?.startsWith('actions/upload-artifact@') ? [step.with?.['path']] : [],
    )
    for (const path of kept)
      for (const name of ['report.html', 'junit.xml']) expect(existsSync(join(cwd, path ?? '', name))).toBe(true)
    expect(kept).toEqual(['conformance-report'])
    return ended
  }

  it('writes a GitHub workflow that uses the action, and leaves reports and a summary', async () => {
    const cwd = folder('github')
    await init(cwd, '--base-url', server.url, '--ci', 'github')
    const config = join(cwd, 'conformance.config.yaml')
    writeFileSync(config, `${readFileSync(config, 'utf8')}case: service/webhooks/*\n`)
    const { code, summary, err } = await runWorkflow(cwd, { SERVICE_API_KEY: server.apiKey })
    expect(code, err).toBe(0)
    expect(summary).toMatch(/## partial/)
    expect(readFileSync(join(cwd, '.github/actions/webhook-conformance/action.yml'), 'utf8')).toBe(
      readFileSync(join(root, 'action.yml'), 'utf8'),
    )
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
    const [judging] = jobs.part.steps.filter((step) => step.run !== undefined)
    expect(judging?.env).toMatchObject({ CONFORMANCE_SHARD: '${{ matrix.shard }}/2', SHARD: '${{ matrix.shard }}' })
    for (const SHARD of ['1', '2'])
      expect(await runScripts([judging?.run ?? ''], cwd, { SHARD, CONFORMANCE_SHARD: `${SHARD}/2` })).toBe(0)
    const merging = jobs.conformance.steps.flatMap((step) => step.run ?? [])
    expect(await runScripts(merging, cwd)).toBe(0)
    expect(readFileSync(join(cwd, 'summary'), 'utf8')).toMatch(/4 passed, 0 failed, 0 errored, 4 skipped/)
    expect(readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')).not.toMatch(/[&*]a\d|null/)
    const [kept = ''] = jobs.conformance.steps.flatMap((step) =>
      step.name === undefined ? (step.with?.['path'] ?? []) : [],
    )
    for (const path of kept.trim().split('\n')) expect(existsSync(join(cwd, path)), path).toBe(true)
    expect(kept).toContain('conformance.xml')
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
    expect(readFileSync(join(cwd, 'conformance.xml'), 'utf8').match(/<testcase /g)).toHaveLength(8)
  })

  it('writes an Indexed Job, and one that waits for its reports and merges them', { timeout: 240_000 }, async () => {
    const cwd = folder('kubernetes')
    await init(cwd, '--base-url', server.url, '--ci', 'kubernetes', '--shards', '2')
    const [, part, whole] = parseAllDocuments(readFileSync(join(cwd, 'conformance-job.yaml'), 'utf8')).map(
      (document) => document.toJS() as KubernetesJob,
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

  it('installs the given package', async () => {
    const cwd = folder('given-package')
    const given = ['--base-url', server.url, '--package', 'git+https://host.example/kit.git#v 1']
    await init(cwd, ...given, '--ci', 'github')
    const workflow = parse(readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')) as {
      readonly jobs: { readonly conformance: { readonly steps: readonly Step[] } }
    }
    const inputs = workflow.jobs.conformance.steps.flatMap((step) => step.with?.['package'] ?? [])
    expect(inputs).toEqual(['git+https://host.example/kit.git#v 1'])
    for (const [kind, file] of [
      ['gitlab', '.gitlab/conformance.yml'],
      ['kubernetes', 'conformance-job.yaml'],
    ] as const) {
      await init(cwd, ...given, '--ci', kind, '--force')
      const text = readFileSync(join(cwd, file), 'utf8')
      expect(text).toContain("npx --yes --package 'git+https://host.example/kit.git#v 1' conformance run ")
      expect(text).not.toContain('webhook-conformance@')
    }
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

  it('never replaces a file, and adds no second configuration', async () => {
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
    expect((await init(cwd, '--subject', 'sender')).out).toMatch(
      /Next: write \.\/send-one\.sh, set CONFORMANCE_SECRET, then: conformance sender\n/,
    )
    const refused = await execute('./send-one.sh', [], cwd)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/call your program here/)
    const workflow = readFileSync(join(cwd, '.github/workflows/conformance.yml'), 'utf8')
    expect(workflow).toMatch(/subject: sender\n +secret: \$\{\{ secrets\.CONFORMANCE_SECRET \}\}\n/)
    const odd = folder('odd-sender')
    const trigger = "curl -H 'a: b' http://127.0.0.1:9/ # one"
    await init(odd, '--subject', 'sender', '--trigger', trigger, '--ci', 'gitlab')
    expect(existsSync(join(odd, 'send-one.sh'))).toBe(false)
    const config = parse(readFileSync(join(odd, 'conformance.config.yaml'), 'utf8')) as {
      readonly sender: { readonly trigger: string }
    }
    expect(config.sender.trigger).toBe(trigger)
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
    expect((await init(cwd, '--subject', 'library')).err).toMatch(
      /--subject library: expected service, receiver, verifier, client, sender or traffic/,
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
  it.skipIf(!hasScript)('prompts on a terminal, again after nonsense (skipped if `script` is missing)', async () => {
    const cwd = folder('asked')
    const typed = ['', 'nonsense', 'http://127.0.0.1:9', ...Array<string>(12).fill('')].join('\\n')
    const line = `printf '${typed}' | script -qec "'${process.execPath}' '${program}' init --ci gitlab" /dev/null`
    const { out } = await execute('bash', ['-c', line], cwd)
    expect(out).toMatch(/Base URL of the service\?/)
    expect(out).toMatch(/--base-url nonsense: expected/)
    expect(readFileSync(join(cwd, 'conformance.config.yaml'), 'utf8')).toMatch(/^base_url: http:\/\/127\.0\.0\.1:9$/m)
    expect(existsSync(join(cwd, '.gitlab/conformance.yml'))).toBe(true)
  })
})
