import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exitCodes, httpUrl, UsageError } from '../usage.js'

/** `conformance init`: a configuration and a CI workflow. Nothing is replaced without --force. */
export async function init(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const folder = String(flags['dir'] ?? '.')
  const baseUrl = httpUrl('--base-url', String(flags['baseUrl']))
  const ci = String(flags['ci'])
  if (ci !== 'github' && ci !== 'gitlab' && ci !== 'none')
    throw new UsageError(`--ci ${ci}: expected github, gitlab or none`)
  const files = new Map([['conformance.config.yaml', configuration(baseUrl)]])
  if (ci === 'github') files.set('.github/workflows/conformance.yml', githubWorkflow)
  if (ci === 'gitlab') files.set('.gitlab/conformance.yml', gitlabJob)
  const existing = [...files.keys()].filter((name) => existsSync(join(folder, name)))
  if (existing.length > 0 && flags['force'] !== true)
    throw new UsageError(`${existing.join(', ')} is there already: --force replaces it`)
  for (const [name, text] of files) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    process.stdout.write(`wrote ${path}\n`)
  }
  return exitCodes.conformant
}

function configuration(baseUrl: string): string {
  return `# What a run knows of the service. Only base_url and api_key are needed; the rest lets more be checked.
base_url: ${baseUrl}
api_key: \${SERVICE_API_KEY}                # sees the whole org
# from: Probe <probe@verified.example>     # an address that may send
# inboxes:                                 # two let inbox scoping be checked
#   - { id: ibx_1, address: one@in.example, api_key: "\${KEY_INBOX_1}" }
#   - { id: ibx_2, address: two@in.example, api_key: "\${KEY_INBOX_2}" }
# receiver:                                # where the service reaches this run's webhook sink
#   listen: 127.0.0.1:8443
#   public_url: https://hooks.example.net/
# retry_depth: 2                           # attempts watched in real time
# control: { url: ${baseUrl.replace(/\/$/, '')}/_control, key: "\${CONTROL_KEY}" }
`
}

const githubWorkflow = `name: conformance
on: [push, pull_request]
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npx --yes webhook-conformance run --reporter github --reporter junit=conformance.xml --reporter markdown=summary.md
        env:
          SERVICE_API_KEY: \${{ secrets.SERVICE_API_KEY }}
      - if: always()
        run: cat summary.md >> "$GITHUB_STEP_SUMMARY"
`

const gitlabJob = `conformance:
  image: node:22
  script:
    - npx --yes webhook-conformance run --reporter junit=conformance.xml
  artifacts:
    when: always
    reports:
      junit: conformance.xml
`
