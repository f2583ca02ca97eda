import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFileNames } from '../../harness/config/find.js'
import { questioner, type Question } from '../init/ask.js'
import { ciKinds, initFiles, type CiKind, type InitAnswers } from '../init/files.js'
import { packageVersion } from '../package.js'
import { readSettings, systemCode, type Settings } from '../settings.js'
import { exitCodes, httpUrl, UsageError } from '../usage.js'

const usual = { baseUrl: 'https://api.staging.example/', ci: 'github' } as const

/**
 * `conformance init`: a configuration and a CI workflow. What no flag and no variable says is asked on a terminal, and
 * taken as usual elsewhere or with --yes. Nothing is replaced without --force.
 */
export async function init(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings(flags, { ignoresFile: true })
  const folder = settings.text('dir') ?? '.'
  const answers = await answersOf(settings)
  const files = initFiles(answers, packageVersion())
  const existing = [...new Set([...configFileNames, ...files.keys()])].filter((name) => existsSync(join(folder, name)))
  const force = settings.isOn('force')
  if (existing.length > 0 && !force)
    throw new UsageError(`${existing.join(', ')} there already: --force writes all the same; nothing was written`)
  for (const [name, text] of files) {
    const path = join(folder, name)
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: force ? 'w' : 'wx' })
    } catch (error) {
      throw new UsageError(`init: ${path} cannot be written (${systemCode(error)})`)
    }
    process.stdout.write(`wrote ${path}\n`)
  }
  process.stdout.write(nextSteps(answers))
  return exitCodes.conformant
}

async function answersOf(settings: Settings): Promise<InitAnswers> {
  const isAsking = process.stdin.isTTY === true && process.stderr.isTTY === true && !settings.isOn('yes')
  const terminal = isAsking ? questioner() : undefined
  const answer = async <T>(name: string, question: Question<T>): Promise<T> => {
    const given = settings.text(name)
    if (given !== undefined) return question.read(given)
    return terminal === undefined ? question.read(question.usual) : terminal.ask(question)
  }
  try {
    const baseUrl = await answer('base-url', {
      text: 'Base URL of the service?',
      usual: usual.baseUrl,
      read: (text) => httpUrl('--base-url', text),
    })
    const controlUrl = await answer('control-url', {
      text: 'Control URL, where a test deployment offers the control interface?',
      usual: '',
      read: (text) => (text === '' ? undefined : httpUrl('--control-url', text)),
    })
    const ci = await answer('ci', { text: `CI workflow (${ciKinds.join(', ')})?`, usual: usual.ci, read: ciKind })
    return { baseUrl, controlUrl, ci }
  } finally {
    terminal?.close()
  }
}

function ciKind(text: string): CiKind {
  const kind = ciKinds.find((each) => each === text)
  if (kind === undefined) throw new UsageError(`--ci ${text}: expected ${ciKinds.join(', ')}`)
  return kind
}

function nextSteps({ ci, controlUrl }: InitAnswers): string {
  const keys = ['SERVICE_API_KEY', ...(controlUrl === undefined ? [] : ['CONTROL_KEY'])].join(' and ')
  return [
    '',
    `Next: set ${keys}, then: conformance run --dry-run`,
    ...(ci === 'github' ? [`GitHub: add ${keys} to the secrets of the repository.`] : []),
    ...(ci === 'gitlab' ? ["GitLab: add to .gitlab-ci.yml: include: [{ local: '.gitlab/conformance.yml' }]"] : []),
    '',
  ].join('\n')
}
