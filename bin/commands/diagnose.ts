import {
  diagnose as diagnosisOf,
  diagnoseByScheme,
  readHeaders,
  readRequest,
  UnreadableRequest,
  type Diagnosis,
  type RawRequest,
} from '../../harness/diagnose/index.js'
import { Secrets, visible } from '../../harness/safe-text.js'
import { variableName } from '../cli/option.js'
import { schemeOf } from '../cli/scheme.js'
import { textFormats } from '../cli/option-values.js'
import { readBytes, readFile, readSettings, type Settings } from '../cli/settings.js'
import { exitCodes, oneOf, UsageError, wholeNumber } from '../cli/usage.js'
import { writeOutput } from '../cli/output.js'
import { invocation } from '../cli/invocation.js'
import { watchSignals } from '../cli/interrupt.js'

/** `conformance diagnose`: 0 when the signature verifies, 1 when it does not. */
export async function diagnose(flags: Readonly<Record<string, unknown>>): Promise<number> {
  const settings = readSettings('diagnose', flags)
  return settings.isOn('ui') ? servePage(settings, secretsOf(flags)) : judged('diagnose', flags)
}

/** `conformance verify`: the same of a delivery that is here now, whose age counts. */
export async function verify(flags: Readonly<Record<string, unknown>>): Promise<number> {
  return judged('verify', flags)
}

function judged(command: 'diagnose' | 'verify', flags: Readonly<Record<string, unknown>>): number {
  const settings = readSettings(command, flags)
  const secrets = secretsOf(flags)
  if (secrets.length === 0) throw new UsageError(`${command} needs a secret: --secret whsec_… (or CONFORMANCE_SECRET)`)
  const format = oneOf('--format', settings.text('format') ?? 'text', textFormats)
  const nowText = settings.text('now') ?? (command === 'verify' ? String(Math.floor(Date.now() / 1000)) : undefined)
  const now = nowText === undefined ? {} : { now: wholeNumber('--now', nowText, 0) }
  const scheme = schemeOf(settings)
  const isDeep = command === 'diagnose' && settings.isOn('deep')
  const request = requestOf(settings, command)
  const diagnosis =
    scheme === undefined
      ? diagnosisOf(request, { secrets, isDeep, ...now })
      : diagnoseByScheme(scheme, request, { secrets, isDeep, ...now })
  const known = new Secrets()
  for (const secret of secrets) known.add(secret.trim())
  const clean = known.redactDeep(diagnosis)
  writeOutput(format === 'json' ? `${JSON.stringify(clean, null, 2)}\n` : visible(textOf(clean)))
  return diagnosis.verifies ? exitCodes.conformant : exitCodes.nonconformant
}

/** `--ui`: serves a page in which the browser searches, filled with the options, until it is interrupted. */
async function servePage(settings: Settings, secrets: readonly string[]): Promise<number> {
  const [useless] = (['now', 'deep', 'format'] as const).filter((name) => settings.source(name) === 'flag')
  if (useless !== undefined) throw new UsageError(`--${useless}: the page of --ui has a choice for it: leave it out`)
  const isGiven = ['request', 'headers', 'body'] as const
  const request = isGiven.some((name) => settings.text(name) !== undefined)
    ? requestOf(settings, 'diagnose')
    : undefined
  const scheme = schemeOf(settings)?.data
  const { startDiagnosePage } = await import('../serve/diagnose-page.js')
  const interrupt = watchSignals()
  const page = await startDiagnosePage({ secrets, scheme })
  const path = settings.text('request') ?? settings.text('headers') ?? ''
  const address = request === undefined ? undefined : page.add({ label: path, ...request })
  if (request !== undefined && address === undefined) {
    await page.close()
    interrupt.end()
    throw new UsageError(`${path}: the page takes bodies of at most 256 KB: leave --ui out`)
  }
  writeOutput(`Diagnose  ${address ?? page.url}\nThe page runs in your browser alone. Interrupt to stop.\n`)
  await interrupt.come
  await page.close()
  return exitCodes.conformant
}

/** The secrets as they were given: blanks around one may be the cause. */
function secretsOf(flags: Readonly<Record<string, unknown>>): readonly string[] {
  if (Array.isArray(flags['secret'])) return flags['secret'].map(String)
  return (invocation().env[variableName('secret')] ?? '').split(/[,\n]/).filter((secret) => secret.trim() !== '')
}

function requestOf(settings: Settings, command: string): RawRequest {
  const [request, headers, body] = (['request', 'headers', 'body'] as const).map((name) => settings.text(name))
  if (request !== undefined) {
    if (headers !== undefined || body !== undefined)
      throw new UsageError('--request holds headers and body: leave --headers and --body out')
    return readable('--request', request, () => readRequest(readBytes('--request', request)))
  }
  if (headers === undefined || body === undefined)
    throw new UsageError(`${command} needs a request: --request <file>, or --headers <file> and --body <file>`)
  const text = readFile('--headers', headers)
  return {
    headers: readable('--headers', headers, () => readHeaders(text)),
    body: readBytes('--body', body),
    notes: [],
  }
}

function readable<T>(option: string, path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableRequest) throw new UsageError(`${option} ${path}: ${error.message}`)
    throw error
  }
}

function textOf({ verifies, secret, secrets, causes, notes }: Diagnosis): string {
  const which = secret === null || secrets === 1 ? '' : ` with secret ${secret} of ${secrets}`
  const lines = verifies
    ? [`The signature verifies${which}.`]
    : [
        `The signature does not verify.`,
        ...causes.flatMap(({ explanation, evidence, remedy }, index) => [
          '',
          `${index + 1}. ${explanation}`,
          `   found out  ${evidence}`,
          `   remedy     ${remedy.split('\n').join('\n              ')}`,
        ]),
      ]
  return `${[...lines, ...(notes.length === 0 ? [] : ['']), ...notes.map((note) => `Note: ${note}.`)].join('\n')}\n`
}
