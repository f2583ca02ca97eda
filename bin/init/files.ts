import { loadSchema } from '../../fixtures/index.js'
import type { ServiceFacts } from './dialogue.js'
import { pinnedActions } from './pinned-actions.js'
import { stringify } from 'yaml'
import { quoted } from '../cli/command-line.js'
import type { ciKinds, initKinds } from '../cli/words.js'
import { shardedGithubWorkflow, shardedGitlabJob, shardedKubernetesJob } from './sharded.js'

export interface InitAnswers {
  readonly subject: (typeof initKinds)[number]
  /** Of a service, and of one whose traffic is recorded. */
  readonly baseUrl: string
  /** The control interface of a test deployment, where there is one. */
  readonly controlUrl: string | undefined
  /** The command that makes a sender send one event. */
  readonly trigger: string
  /** What was found out in a dialogue about a service. */
  readonly facts?: ServiceFacts
  readonly ci: (typeof ciKinds)[number]
  /** Machines side by side, each with a part of the cases; of a service alone. */
  readonly shards: number
}

/** The script that stands for the sender's own command until that is written. */
export const sendScript = './send-one.sh'

/** What is written, by path below the project; `version` is the one the workflow runs. */
export function initFiles(answers: InitAnswers, version: string): ReadonlyMap<string, string> {
  const { subject, trigger, ci } = answers
  const files = new Map<string, string>()
  if (subject !== 'sender') {
    files.set('conformance.config.yaml', configuration(answers))
    files.set(schemaFile, `${JSON.stringify(loadSchema('config'), undefined, 2)}\n`)
  }
  if (subject === 'sender' && trigger === sendScript) files.set(sendScript.slice(2), script)
  const job = jobOf(answers, version)
  const sharded = answers.shards > 1 ? { ...job, ...answers } : undefined
  if (ci === 'github')
    files.set(
      '.github/workflows/conformance.yml',
      sharded === undefined ? githubWorkflow(job) : shardedGithubWorkflow(sharded),
    )
  if (ci === 'gitlab')
    files.set('.gitlab/conformance.yml', sharded === undefined ? gitlabJob(job) : shardedGitlabJob(sharded))
  if (ci === 'kubernetes') files.set('conformance-job.yaml', shardedKubernetesJob({ ...job, ...answers }))
  return files
}

const script = `#!/bin/sh
# Makes your program send one event. Its type is in CONFORMANCE_EVENT_TYPE, the URL it goes to in CONFORMANCE_WEBHOOK_URL.
# Exit with another code than 0 for a type that your program does not have: that case is skipped, with what stands on
# standard error. To see a right sender first: conformance serve sender prints a line to put here.
echo 'send-one.sh: call your program here' >&2
exit 1
`

/** The schema of the configuration, beside it: an editor checks and completes by it, and needs no network for that. */
const schemaFile = 'conformance.config.schema.json'

/** What a CI job runs, and the variables it needs. */
interface Job {
  /** The kit, `npx` and all. */
  readonly program: string
  readonly step: string
  readonly command: string
  readonly variables: readonly string[]
}

function jobOf({ subject, controlUrl, trigger, facts }: InitAnswers, version: string): Job {
  const program = `npx --yes webhook-conformance@${version}`
  const hasControl = controlUrl !== undefined
  switch (subject) {
    case 'service':
      return {
        program,
        step: 'Judge the service',
        command: `${program} run`,
        variables: [
          'SERVICE_API_KEY',
          ...(facts?.inboxes ?? []).map(({ variable }) => variable),
          ...(hasControl ? ['CONTROL_KEY'] : []),
        ],
      }
    case 'sender':
      return {
        program,
        step: 'Judge the sender',
        command: `${program} sender --trigger ${quoted(trigger)}`,
        variables: ['CONFORMANCE_SECRET'],
      }
    case 'traffic':
      return {
        program,
        step: 'Judge the traffic that was recorded',
        command: `${program} observe --from captures/*`,
        variables: [],
      }
  }
}

/** Text as YAML reads it back, quoted where it has to be. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim()
}

/** The lines of what was given, or those that show what may be, as comments. */
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

function configuration({ baseUrl, controlUrl, facts = {} }: InitAnswers): string {
  const control = controlUrl ?? `${baseUrl.replace(/\/$/, '')}/_control`
  const controlLine = `control: { url: ${JSON.stringify(control)}, key: "\${CONTROL_KEY}" }`
  return `# yaml-language-server: $schema=./${schemaFile}
$schema: ./${schemaFile}

# What a run knows of the service. Only base_url and api_key are needed; each further line lets more be checked.
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

function githubWorkflow({ step, command, variables }: Job): string {
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
      - uses: ${pinnedActions.setupNode}
        with:
          node-version: 22
      - name: ${step}
        run: >-
          ${command}
          --reporter github
          --reporter junit=conformance.xml
          --reporter html=conformance.html
          --reporter markdown=conformance.md
${variables.length === 0 ? '' : '        env:\n'}${variables.map((name) => `          ${name}: \${{ secrets.${name} }}\n`).join('')}      - name: Show the report
        if: always()
        run: if [ -f conformance.md ]; then cat conformance.md >> "$GITHUB_STEP_SUMMARY"; fi
      - uses: ${pinnedActions.uploadArtifact}
        if: always()
        with:
          name: conformance
          path: |
            conformance.html
            conformance.xml
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
