import { loadSchema } from '../../fixtures/index.js'
import type { ServiceFacts } from './dialogue.js'
import { pinnedActions } from './pinned-actions.js'
import { stringify } from 'yaml'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../cli/command-line.js'
import { packageFolder } from '../cli/package.js'
import type { ciKinds, initKinds, profiles } from '../cli/option-values.js'
import { driverStarter, senderStarter, sendScript, starterDriver } from './starters.js'
import { shardedGithubWorkflow, shardedGitlabJob, shardedKubernetesJob } from './sharded.js'

/** Where the secret of a receiver and of a sender is looked for. */
export const secretVariable = 'CONFORMANCE_SECRET'

export interface InitAnswers {
  readonly subject: (typeof initKinds)[number]
  /** Of a service, and of one whose traffic is recorded. */
  readonly baseUrl: string
  /** The control interface of a test deployment, where there is one. */
  readonly controlUrl: string | undefined
  /** Where a receiver takes deliveries. */
  readonly url?: string
  /** The command that starts the driver of a verifier or a client. */
  readonly driver?: string
  /** The command that makes a sender send one event, and where a run listens for it. */
  readonly trigger?: string
  readonly listen?: string
  /** Of a receiver and a sender. */
  readonly profile?: (typeof profiles)[number]
  /** The facts that the dialogue found out about a service. */
  readonly facts?: ServiceFacts
  readonly ci: (typeof ciKinds)[number]
  /** The package that CI installs, in any form of npm; by default the published version. */
  readonly package?: string
  /** Machines side by side, each with a part of the cases; of a service alone. */
  readonly shards: number
}

/** The folder of the action: an action next to the workflow needs no repository of ours. */
const actionFolder = '.github/actions/webhook-conformance'

/** Returns the files by path below the project; `version` is the one that the workflow runs. */
export function initFiles(answers: InitAnswers, version: string): ReadonlyMap<string, string> {
  const { subject, ci } = answers
  const files = new Map<string, string>()
  files.set('conformance.config.yaml', configuration(answers))
  files.set(schemaFile, `${JSON.stringify(loadSchema('config'), undefined, 2)}\n`)
  if (answers.trigger === sendScript) files.set(sendScript.slice(2), senderStarter)
  if (answers.driver === starterDriver && (subject === 'verifier' || subject === 'client'))
    files.set('driver.mjs', driverStarter(subject))
  const job = jobOf(answers, version)
  const sharded = answers.shards > 1 ? { ...job, ...answers } : undefined
  if (ci === 'github' && sharded === undefined) {
    files.set(`${actionFolder}/action.yml`, readFileSync(join(packageFolder(), 'action.yml'), 'utf8'))
    files.set('.github/workflows/conformance.yml', githubWorkflow(answers, job))
  }
  if (ci === 'github' && sharded !== undefined)
    files.set('.github/workflows/conformance.yml', shardedGithubWorkflow(sharded))
  if (ci === 'gitlab')
    files.set('.gitlab/conformance.yml', sharded === undefined ? gitlabJob(job) : shardedGitlabJob(sharded))
  if (ci === 'kubernetes') files.set('conformance-job.yaml', shardedKubernetesJob({ ...job, ...answers }))
  return files
}

/** The schema of the configuration, next to it: an editor validates and completes with it, without network. */
const schemaFile = 'conformance.config.schema.json'

/** What a CI job runs, and the variables it needs. */
interface Job {
  /** The kit, `npx` and all. */
  readonly program: string
  readonly step: string
  readonly command: string
  readonly variables: readonly string[]
}

/** What a run of each kind is called, and how a job that runs it is. */
const jobs = {
  service: ['run', 'Judge the service'],
  receiver: ['receiver', 'Judge the receiver'],
  verifier: ['verifier', 'Judge the verifier'],
  client: ['client', 'Judge the client'],
  sender: ['sender', 'Judge the sender'],
  traffic: ['observe --from captures/*', 'Judge the traffic that was recorded'],
} as const

function jobOf(answers: InitAnswers, version: string): Job {
  const program =
    answers.package === undefined
      ? `npx --yes webhook-conformance@${version}`
      : `npx --yes --package ${quoted(answers.package)} conformance`
  const [command, step] = jobs[answers.subject]
  return { program, step, command: `${program} ${command}`, variables: variablesOf(answers) }
}

/** Returns the variables that the written files need. */
export function variablesOf({ subject, controlUrl, facts }: InitAnswers): readonly string[] {
  if (subject === 'receiver' || subject === 'sender') return [secretVariable]
  if (subject !== 'service') return []
  const ofInboxes = (facts?.inboxes ?? []).map(({ variable }) => variable)
  return ['SERVICE_API_KEY', ...ofInboxes, ...(controlUrl === undefined ? [] : ['CONTROL_KEY'])]
}

/** Text as YAML reads it back, quoted where it has to be. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim()
}

/** Returns the lines with the given facts, or examples of them as comments. */
function factLines({ from, inboxes, receiver, triggers }: ServiceFacts): string {
  const inbox = ({ id, address, variable }: NonNullable<ServiceFacts['inboxes']>[number]) =>
    `  - { id: ${JSON.stringify(id)}, address: ${JSON.stringify(address)}, api_key: "\${${variable}}" }`
  const given = Object.entries(triggers ?? {})
  return `# An address that may send, and inboxes with keys of their own: two let inbox scoping be checked.
${from === undefined ? '# from: Probe <probe@verified.example>' : `from: ${scalar(from)}`}
${
  inboxes === undefined
    ? `# inboxes:
#   - { id: ibx_1, address: one@in.example, api_key: "\${KEY_INBOX_1}" }
#   - { id: ibx_2, address: two@in.example, api_key: "\${KEY_INBOX_2}" }`
    : ['inboxes:', ...inboxes.map(inbox)].join('\n')
}

# Where the service reaches this run's webhook sink: a tunnel or proxy leads public_url to listen.
${
  receiver === undefined
    ? `# receiver:
#   listen: 127.0.0.1:8443
#   public_url: https://hooks.example.net/`
    : `receiver:\n  listen: ${scalar(receiver.listen)}\n  public_url: ${scalar(receiver.publicUrl)}`
}

# How to make the service raise an event type.
${
  given.length === 0
    ? `# triggers:
#   message.bounced: { to: bounce@simulator.example }`
    : ['triggers:', ...given.map(([type, to]) => `  ${type}: { to: ${JSON.stringify(to)} }`)].join('\n')
}
`
}

function configuration(answers: InitAnswers): string {
  const { subject } = answers
  const head = `# yaml-language-server: $schema=./${schemaFile}\n$schema: ./${schemaFile}\n\n`
  if (subject === 'service' || subject === 'traffic') return head + serviceLines(answers)
  return head + targetLines(subject, answers)
}

/** What a run knows of a receiver, a verifier, a client or a sender. */
function targetLines(
  subject: 'receiver' | 'verifier' | 'client' | 'sender',
  { url = '', driver = '', trigger = '', listen = '', profile = 'interface' }: InitAnswers,
): string {
  const profileLine = `  # interface, or standard-webhooks for the cases of that specification alone.\n  profile: ${profile}\n`
  switch (subject) {
    case 'receiver':
      return `# The endpoint. Its secret is in the variable ${secretVariable}, not in this file.
endpoint:
  url: ${scalar(url)}
${profileLine}  # Lets effects be judged, not only answers: how often the endpoint did its work for an event, as {"count": n}.
  # handled_url: http://127.0.0.1:3000/handled/{id}
`
    case 'sender':
      return `# The sender. Its secret is in the variable ${secretVariable}, not in this file.
sender:
  # Makes it send one event, of the type in CONFORMANCE_EVENT_TYPE, to the URL in CONFORMANCE_WEBHOOK_URL.
  trigger: ${scalar(trigger)}
  listen: ${scalar(listen)}
${profileLine}  # Where the sender reaches the listener, through a tunnel or proxy.
  # public_url: https://hooks.example.net/
`
    case 'verifier':
    case 'client':
      return `# How the driver of the library is started (its protocol: fixtures/drivers of the package webhook-conformance).
${subject}:
  command: ${scalar(driver)}
`
  }
}

function serviceLines({ baseUrl, controlUrl, facts = {} }: InitAnswers): string {
  const control = controlUrl ?? `${baseUrl.replace(/\/$/, '')}/_control`
  const controlLine = `control: { url: ${JSON.stringify(control)}, key: "\${CONTROL_KEY}" }`
  return `# What a run knows of the service. Only base_url and api_key are needed; each further line lets more be checked.
# \${NAME} reads the environment, so that no key stands here.
base_url: ${scalar(baseUrl)}
api_key: \${SERVICE_API_KEY} # sees the whole org
# A key of a second project, which must see nothing of the first; each of the two needs an event of its own.
# second_api_key: \${SECOND_API_KEY}

${factLines(facts)}
# Attempts watched in real time, 1 to 7.
# retry_depth: 2

# Where mail that nobody reads may be sent, and a host with a public address for webhooks that are never delivered to.
# recipient: probe@example.com
# public_host: example.com

# A file that lets a run be stopped and resumed, and one that names what a killed run has left behind.
# state: conformance-state.json
# journal: conformance-journal.jsonl

# The control interface of a test deployment: everything in seconds, the 18 hours of retries included.
${controlUrl === undefined ? '# ' : ''}${controlLine}
`
}

/** The comment before the step that judges a program: the program has to run by then. */
const beforeJudging: Partial<Readonly<Record<InitAnswers['subject'], string>>> = {
  receiver: '      # Start the endpoint here, in the background.\n',
  sender: '      # Start the sender here, in the background, where the trigger needs it.\n',
  verifier: '      # Install the library here.\n',
  client: '      # Install the library here.\n',
}

function githubWorkflow({ subject, package: spec }: InitAnswers, { step, variables }: Job): string {
  const lines = variables.map((name) => `          ${name}: \${{ secrets.${name} }}\n`).join('')
  // The one of a program is an input: what an input leaves empty takes the place of a variable of its name.
  const [inputs, env] = variables.includes(secretVariable)
    ? [lines.replace(secretVariable, 'secret'), '']
    : [subject === 'traffic' ? '          from: captures/*\n' : '', lines]
  return `name: conformance
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: ${pinnedActions.checkout}
${beforeJudging[subject] ?? ''}      - name: ${step}
        uses: ./${actionFolder}
        with:
          subject: ${subject}
${spec === undefined ? '' : `          package: ${scalar(spec)}\n`}${inputs}${env === '' ? '' : `        env:\n${env}`}      - uses: ${pinnedActions.uploadArtifact}
        if: always()
        with:
          name: conformance
          path: conformance-report
`
}

function gitlabJob({ command, variables }: Job): string {
  const needs =
    variables.length === 0 ? '' : ` The variables it needs (${variables.join(', ')}) are set in the project, masked.`
  return `# Include it from .gitlab-ci.yml.${needs}
conformance:
  image: node:22
  script:
    - ${scalar(`${command} --reporter junit=conformance.xml --reporter html=conformance.html`)}
  artifacts:
    when: always
    paths:
      - conformance.html
    reports:
      junit: conformance.xml
`
}
