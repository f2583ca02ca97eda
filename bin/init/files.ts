import { stringify } from 'yaml'

/** CI systems `conformance init` writes a workflow for. */
export const ciKinds = ['github', 'gitlab', 'none'] as const
export type CiKind = (typeof ciKinds)[number]

export interface InitAnswers {
  readonly baseUrl: string
  /** The control interface of a test deployment, where there is one. */
  readonly controlUrl: string | undefined
  readonly ci: CiKind
}

/** What is written, by path below the project; `version` is the one the workflow runs. */
export function initFiles(answers: InitAnswers, version: string): ReadonlyMap<string, string> {
  const hasControl = answers.controlUrl !== undefined
  const files = new Map([['conformance.config.yaml', configuration(answers)]])
  if (answers.ci === 'github') files.set('.github/workflows/conformance.yml', githubWorkflow(version, hasControl))
  if (answers.ci === 'gitlab') files.set('.gitlab/conformance.yml', gitlabJob(version))
  return files
}

/** Text as YAML reads it back, quoted where it has to be. */
function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trim()
}

function configuration({ baseUrl, controlUrl }: InitAnswers): string {
  const control = controlUrl ?? `${baseUrl.replace(/\/$/, '')}/_control`
  const controlLine = `control: { url: ${JSON.stringify(control)}, key: "\${CONTROL_KEY}" }`
  return `# What a run knows of the service. Only base_url and api_key are needed; each further line lets more be checked.
# \${NAME} reads the environment, so that no key stands here.
base_url: ${scalar(baseUrl)}
api_key: \${SERVICE_API_KEY} # sees the whole org

# An address that may send, and inboxes with keys of their own: two let inbox scoping be checked.
# from: Probe <probe@verified.example>
# inboxes:
#   - { id: ibx_1, address: one@in.example, api_key: "\${KEY_INBOX_1}" }
#   - { id: ibx_2, address: two@in.example, api_key: "\${KEY_INBOX_2}" }

# Where the service reaches this run's webhook sink: a tunnel or proxy leads public_url to listen.
# receiver:
#   listen: 127.0.0.1:8443
#   public_url: https://hooks.example.net/

# How to make the service raise an event type.
# triggers:
#   message.bounced: { to: bounce@simulator.example }

# Attempts watched in real time, 1 to 7.
# retry_depth: 2

# A file that lets a run be stopped and resumed, and one that names what a killed run has left behind.
# state: conformance-state.json
# journal: conformance-journal.jsonl

# The control interface of a test deployment: everything in seconds, the 18 hours of retries included.
${controlUrl === undefined ? '# ' : ''}${controlLine}
`
}

function githubWorkflow(version: string, hasControl: boolean): string {
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
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Judge the service
        run: >-
          npx --yes webhook-conformance@${version} run
          --reporter github
          --reporter junit=conformance.xml
          --reporter markdown=conformance.md
        env:
          SERVICE_API_KEY: \${{ secrets.SERVICE_API_KEY }}
${hasControl ? '          CONTROL_KEY: ${{ secrets.CONTROL_KEY }}\n' : ''}      - name: Show the report
        if: always()
        run: if [ -f conformance.md ]; then cat conformance.md >> "$GITHUB_STEP_SUMMARY"; fi
`
}

function gitlabJob(version: string): string {
  return `# Include it from .gitlab-ci.yml. The variables it needs (SERVICE_API_KEY) are set in the project, masked.
conformance:
  image: node:22
  script:
    - npx --yes webhook-conformance@${version} run --reporter junit=conformance.xml --reporter html=conformance.html
  artifacts:
    when: always
    paths:
      - conformance.html
    reports:
      junit: conformance.xml
`
}
