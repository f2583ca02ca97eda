// The second part of docs/libraries.md: endpoints built with the providers' own libraries, as their documentation shows, under their schemes.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { loadScheme } from '../../../fixtures/index.js'
import type { Report } from '../../../harness/index.js'
import { SignatureScheme } from '../../../harness/schemes/index.js'
import { findingsOf } from './findings.js'
import { listed, table } from './page.js'

/** A library, and the scheme that it verifies. */
export interface ProviderLibrary {
  readonly scheme: string
  readonly name: string
}

export const providerLibraries: readonly ProviderLibrary[] = [
  { scheme: 'stripe', name: 'stripe' },
  { scheme: 'github', name: '@octokit/webhooks' },
  { scheme: 'slack', name: '@slack/bolt' },
  { scheme: 'shopify', name: '@shopify/shopify-api' },
  { scheme: 'discord', name: 'discord-interactions' },
  { scheme: 'svix', name: 'svix' },
  { scheme: 'standard-webhooks', name: 'standardwebhooks' },
]

export const providersHeading = '## Libraries of providers'

/** Judges an endpoint of each library, one after the other; `folder` keeps the reports. */
export async function providersPart(
  folder: string,
  { root, date }: { readonly root: string; readonly date: string },
): Promise<string> {
  const rows: (readonly string[])[] = []
  for (const library of providerLibraries) rows.push(rowOf(library, root, await reportOf(library, { folder, root })))
  return [
    providersHeading,
    `Endpoints of express with the library of the provider, as its documentation shows, tested by \`conformance receiver --scheme\` on ${date}. Differences of a library that its documentation shows are data of the scheme, and not counted: \`conformance schemes show stripe\` lists them. The verdict is partial since such an endpoint reports no effects.`,
    table(['package', 'version', 'scheme', 'verdict', 'cases passed', 'breaks', 'advice not followed'], rows),
    'The endpoints, and the usual mistakes of each, are in `bin/blackbox/testing/providers/endpoint.mjs`; a test of the kit detects each mistake.',
  ].join('\n\n')
}

async function reportOf(
  { scheme: name }: ProviderLibrary,
  { folder, root }: { readonly folder: string; readonly root: string },
): Promise<Report> {
  const scheme = new SignatureScheme(loadScheme(name))
  const { form, prefix = '' } = scheme.data.key
  const bytes = Buffer.from('a secret of 32 bytes for testing')
  const secret = form === 'text' ? 'text-secret' : prefix + bytes.toString(form)
  const endpoint = join(root, 'bin/blackbox/testing/providers/endpoint.mjs')
  const child = spawn(process.execPath, [endpoint, name, 'right'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, WEBHOOK_SECRET: scheme.receiverSecret(secret) },
  })
  try {
    const port = await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve))
    const file = join(folder, `provider-${name}.json`)
    const own = ['--scheme', name, '--url', `http://127.0.0.1:${port}/webhooks`, '--secret', secret]
    const args = ['receiver', '--quiet', '--seed', '1', '--reporter', `json=${file}`, ...own]
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/conformance.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    if (status !== 0 && status !== 1) throw new Error(`${name}: exit code ${status}\n${stderr}`)
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } finally {
    child.stdin.end()
  }
}

function rowOf({ name, scheme }: ProviderLibrary, root: string, report: Report): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const { passed } = report.summary.cases
  const ran = report.cases.filter(({ status }) => status !== 'skipped').length
  const found = findingsOf(report)
  const of = (level: 'must' | 'should') =>
    listed(found.filter((one) => one.level === level).map((one) => one.requirement))
  process.stdout.write(`${name} ${manifest.version}: ${passed} of ${ran} passed\n`)
  return [name, manifest.version, scheme, report.verdict, `${passed} of ${ran}`, of('must'), of('should')]
}
