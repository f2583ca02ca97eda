import { lstatSync, mkdirSync, writeFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFileNames } from '../../harness/parsing.js'
import { promptForAdditions } from '../init/dialogue.js'
import { questioner, type Question } from '../init/ask.js'
import { initFiles, variablesOf, type InitAnswers } from '../init/files.js'
import { sendScript, starterDriver } from '../init/starters.js'
import { promptForTarget, type PromptOptions } from '../init/targets.js'
import { loadFiles } from '../init/load.js'
import { accessOf } from '../cli/access.js'
import { writeOutputFile } from '../cli/output-file.js'
import { quoted } from '../cli/command-line.js'
import type { OptionName } from '../cli/options.js'
import { ciKinds, initKinds, loadEngines } from '../cli/option-values.js'
import { packageVersion } from '../cli/package.js'
import { readSettings, systemReason, type Settings } from '../cli/settings.js'
import { urlToCommit } from '../init/urls.js'
import { exitCodes, oneOf, rootUrl, UsageError, wholeNumber } from '../cli/usage.js'
import { rawStream, writeOutput } from '../cli/output.js'
import { invocation } from '../cli/invocation.js'

const usual = { subject: 'service', baseUrl: 'https://api.staging.example/', ci: 'github' } as const

/**
 * `conformance init`: writes a configuration, or the script of a sender, and a CI workflow. Values without a flag or a variable are
 * questions on a terminal, and defaults elsewhere or with --yes. With `--load` it writes only a load test for a webhook endpoint. On a
 * terminal it also offers the additions that verify more of a service, and tries them. It replaces nothing without --force.
 */
export async function init(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('init', flags)
  if (settings.text('load') !== undefined) {
    oneOf('--load', settings.text('load') ?? '', loadEngines)
    refuseUseless(
      settings,
      ['subject', ...Object.keys(onlyFor), 'ci', 'shards', 'package'] as readonly OptionName[],
      (flag) => `${flag} has no effect with --load, which writes only a load: call init once without --load`,
    )
    const files = loadFiles()
    writeAll(settings, files, [...files.keys()])
    writeOutput(
      `\nNext: npm install --save-dev artillery webhook-conformance; WEBHOOK_URL=… WEBHOOK_SECRET=… npx artillery run webhook-load.yml\n`,
    )
    return exitCodes.conformant
  }
  const answers = await answersOf(settings)
  const files = initFiles(answers, packageVersion())
  writeAll(settings, files, [...new Set([...configFileNames, ...files.keys()])])
  writeOutput(nextSteps(answers, settings.text('dir')))
  return exitCodes.conformant
}

/** Refuses a flag that has no effect on the written files. */
function refuseUseless(settings: Settings, useless: readonly OptionName[], prints: (flag: string) => string): void {
  const given = useless.find((name) => settings.source(name) === 'flag')
  if (given !== undefined) throw new UsageError(prints(`--${given}`))
}

/** The options of `init` that only some kinds of target have. */
const onlyFor = {
  'base-url': ['service', 'traffic'],
  'control-url': ['service'],
  url: ['receiver'],
  driver: ['verifier', 'client'],
  trigger: ['sender'],
  listen: ['sender'],
  profile: ['receiver', 'sender'],
} as const satisfies Partial<Readonly<Record<OptionName, readonly InitAnswers['subject'][]>>>

function refuseOfOthers(settings: Settings, subject: InitAnswers['subject']): void {
  for (const [name, kinds] of Object.entries(onlyFor))
    if (!kinds.some((kind) => kind === subject))
      refuseUseless(
        settings,
        [name as keyof typeof onlyFor],
        (flag) => `${flag} is for --subject ${kinds.join(' or ')}, and this is ${subject}: leave it out`,
      )
}

/** Writes the files, unless something of `guarded` is there. */
function writeAll(settings: Settings, files: ReadonlyMap<string, string>, guarded: readonly string[]): void {
  const folder = settings.text('dir') ?? '.'
  const existing = guarded.filter((name) => statsOf(join(folder, name)) !== undefined)
  const force = settings.isOn('force')
  const link = [...files.keys()].flatMap((name) => linkAbove(folder, name) ?? [])[0]
  if (link !== undefined && !force)
    throw new UsageError(`${link} is a link to another folder, so nothing was written; --force writes through it`)
  if (existing.length > 0 && !force)
    throw new UsageError(`${existing.join(', ')} already there, so nothing was written; --force replaces what exists`)
  for (const [name, text] of files) {
    const path = join(folder, name)
    try {
      mkdirSync(dirname(path), { recursive: true })
      if (force && statsOf(path) !== undefined) writeOutputFile(path, text)
      else writeFileSync(path, text, { flag: 'wx', ...(name.endsWith('.sh') ? { mode: 0o755 } : {}) })
    } catch (error) {
      throw new UsageError(`init: ${path} cannot be written (${systemReason(error)})`)
    }
    writeOutput(`wrote ${path}\n`)
  }
}

/** Returns the first folder of `name`, below `folder`, that is a link: another user may have set it. */
function linkAbove(folder: string, name: string): string | undefined {
  const parts = name.split('/').slice(0, -1)
  return parts
    .map((_, index) => join(folder, ...parts.slice(0, index + 1)))
    .find((path) => statsOf(path)?.isSymbolicLink() === true)
}

/** Returns the stats of `path` itself, also of a link that leads nowhere; undefined if nothing is there or its folder is a file. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw new UsageError(`init: ${path} cannot be read (${systemReason(error)})`)
  }
}

async function answersOf(settings: Settings): Promise<InitAnswers> {
  const isAsking = invocation().stdin.isTTY === true && rawStream('stderr').isTTY === true && !settings.isOn('yes')
  const terminal = isAsking ? questioner() : undefined
  const answer = async <T>(name: OptionName, question: Question<T>): Promise<T> => {
    const given = settings.text(name)
    if (given !== undefined) return question.read(given)
    return terminal === undefined ? question.read(question.usual) : terminal.ask(question)
  }
  try {
    const subject = await answer('subject', {
      text: `What is judged (${initKinds.join(', ')})?`,
      usual: usual.subject,
      read: (text) => oneOf('--subject', text, initKinds),
    })
    refuseOfOthers(settings, subject)
    const target =
      subject === 'service' || subject === 'traffic'
        ? await serviceAnswers({ settings, terminal, answer }, subject)
        : {
            baseUrl: usual.baseUrl,
            controlUrl: undefined,
            ...(await promptForTarget({ settings, terminal, answer }, subject)),
          }
    const read = (text: string) => oneOf('--ci', text, ciKinds)
    const ci = await answer('ci', { text: `CI workflow (${ciKinds.join(', ')})?`, usual: usual.ci, read })
    const spec = settings.text('package')
    const source = spec === undefined ? {} : { package: spec }
    return { subject, ...target, ...source, ci, shards: shardsOf(settings, subject, ci) }
  } finally {
    terminal?.close()
  }
}

async function serviceAnswers(
  { settings, terminal, answer }: PromptOptions,
  subject: 'service' | 'traffic',
): Promise<Pick<InitAnswers, 'baseUrl' | 'controlUrl' | 'facts'>> {
  const baseUrl = await answer('base-url', {
    text: 'Base URL of the service?',
    usual: usual.baseUrl,
    read: (text) => urlToCommit('--base-url', rootUrl('--base-url', text)),
  })
  if (subject === 'traffic') return { baseUrl, controlUrl: undefined }
  const controlUrl = await answer('control-url', {
    text: 'Control URL, where a test deployment offers the control interface?',
    usual: '',
    read: (text) => (text === '' ? undefined : urlToCommit('--control-url', rootUrl('--control-url', text))),
  })
  // The control interface makes all of this needless.
  if (controlUrl !== undefined || terminal === undefined) return { baseUrl, controlUrl }
  const access = accessOf(settings, baseUrl)
  return {
    baseUrl,
    controlUrl,
    facts: await promptForAdditions({ terminal, baseUrl, access, environment: invocation().env }),
  }
}

/** Reads `--shards`. Only a service is judged in parts. */
function shardsOf(settings: Settings, subject: InitAnswers['subject'], ci: InitAnswers['ci']): number {
  const text = settings.text('shards')
  if (subject === 'service')
    return text === undefined ? (ci === 'kubernetes' ? 4 : 1) : wholeNumber('--shards', text, 1, 64)
  if (text !== undefined || ci === 'kubernetes')
    throw new UsageError(`${ci === 'kubernetes' ? '--ci kubernetes' : '--shards'}: only a service is judged in parts`)
  return 1
}

function nextSteps(answers: InitAnswers, folder: string | undefined): string {
  const { subject, ci } = answers
  const variables = variablesOf(answers).join(' and ')
  const isStarter = answers.trigger === sendScript || answers.driver === starterDriver
  const steps = [
    ...(isStarter ? [`write ${subject === 'sender' ? sendScript : 'driver.mjs'}`] : []),
    ...(variables === '' ? [] : [`set ${variables}`]),
  ].join(', ')
  const command =
    subject === 'traffic'
      ? 'mkdir -p captures; conformance observe --listen 127.0.0.1:8080 --record captures/traffic.ndjson'
      : `conformance ${subject === 'service' ? 'run' : subject}${subject === 'service' ? ' --dry-run' : ''}`
  return [
    '',
    `Next: ${folder === undefined ? '' : `cd ${quoted(folder)}, `}${steps === '' ? '' : `${steps}, then: `}${command}`,
    ...(ci === 'github' && variables !== '' ? [`GitHub: add ${variables} to the secrets of the repository.`] : []),
    ...(ci === 'kubernetes'
      ? ['Kubernetes: read the comment at its head, then: kubectl apply -f conformance-job.yaml']
      : []),
    ...(ci === 'gitlab' ? ["GitLab: add to .gitlab-ci.yml: include: [{ local: '.gitlab/conformance.yml' }]"] : []),
    '',
  ].join('\n')
}
