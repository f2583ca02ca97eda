import { loadScheme, schemeNames, type SchemeData, type SchemePlace } from '../../fixtures/index.js'
import { exampleOf, type SignatureScheme } from '../../harness/schemes/index.js'
import { writeOutput } from '../cli/output.js'
import { schemeNamed } from '../cli/scheme.js'
import { readSettings } from '../cli/settings.js'
import { exitCodes } from '../cli/usage.js'

type Flags = Readonly<Record<string, unknown>>

/** `conformance schemes`: the built-in schemes, one a line. */
export async function list(flags: Flags): Promise<number> {
  const schemes = schemeNames().map(loadScheme)
  if (readSettings('schemes', flags).isOn('json')) writeOutput(`${JSON.stringify(schemes, null, 2)}\n`)
  else
    for (const { name, title, signed, algorithm } of schemes)
      writeOutput(`${name.padEnd(22)}  ${title.padEnd(30)}  ${algorithm} of ${signed}\n`)
  return exitCodes.conformant
}

/** `conformance schemes show <name | file>`: explains a scheme, with a signed example. */
export async function show(name: string, flags: Flags): Promise<number> {
  const scheme = schemeNamed('schemes show', name)
  const isJson = readSettings('schemes show', flags).isOn('json')
  writeOutput(isJson ? `${JSON.stringify(scheme.data, null, 2)}\n` : explanationOf(scheme))
  return exitCodes.conformant
}

function explanationOf(scheme: SignatureScheme): string {
  const { data } = scheme
  const { secret, publicKey, headers, body, signature, commands } = exampleOf(scheme)
  const rows = rowsOf(data)
  const width = Math.max(...rows.map(([label]) => label.length))
  return [
    `${data.name}: ${data.title}`,
    data.source,
    '',
    ...rows.map(([label, text]) => `${label.padEnd(width)}  ${text}`),
    '',
    ...(Object.keys(data.leniences ?? {}).length === 0
      ? []
      : [
          'Differences of the official library, for which no target fails:',
          ...Object.entries(data.leniences ?? {}).map(([forgery, why]) => `  ${forgery}: ${why}`),
          '',
        ]),
    `An example, signed with the secret ${secret}:`,
    ...(publicKey === undefined ? [] : [`(the receiver has the public key ${publicKey})`]),
    ...Object.entries(headers).map(([header, value]) => `  ${header}: ${value}`),
    `  ${body}`,
    '',
    'The same signature by openssl:',
    ...commands.map((command) => `  ${command}`),
    `  # ${signature}`,
    '',
  ].join('\n')
}

function rowsOf({ id, timestamp, signature, signed, algorithm, key, encoding, handshakes = [], advice }: SchemeData) {
  const unit = timestamp?.unit === 'milliseconds' ? 'milliseconds' : 'seconds'
  const limits = [
    timestamp?.past === undefined ? undefined : `at most ${timestamp.past} s old`,
    timestamp?.future === undefined ? undefined : `at most ${timestamp.future} s ahead`,
  ].filter((limit) => limit !== undefined)
  const several = signature.several === true ? '; several may be sent, of which one must match' : ''
  const keyForms = {
    text: 'the text of the secret',
    base64: `the base64 of the secret${key.prefix === undefined ? '' : ` after ${key.prefix}`}`,
    hex: `the hexadecimal digits of the secret${key.prefix === undefined ? '' : ` after ${key.prefix}`}`,
  } as const
  const seed = algorithm === 'ed25519' ? '; it is the private seed, whose public key the receiver has' : ''
  const rows: (readonly [string, string])[] = [
    ['id', placeText(id)],
    ['timestamp', timestamp === undefined ? 'none' : `${placeText(timestamp)}, ${unit}`],
    ['tolerance', limits.length === 0 ? 'none' : limits.join(', ')],
    ['signature', `${signature.header}: ${entriesText(signature, timestamp?.entry)}${several}`],
    ['signed', signed],
    ['algorithm', `${algorithm}, written as ${encoding}`],
    ['key', keyForms[key.form] + seed],
    ...handshakes.map(
      ({ name, expects, levels }) => ['handshake', `${name} ${levels.answered} be answered ${expects}`] as const,
    ),
  ]
  return advice === undefined ? rows : [...rows, ['advice', advice] as const]
}

function entriesText({ entry, separator = '' }: SchemeData['signature'], timestampEntry: string | undefined): string {
  return timestampEntry === undefined ? entry : timestampEntry + separator + entry
}

function placeText(place: (SchemePlace & { readonly entry?: string }) | undefined): string {
  if (place === undefined) return 'none'
  if (place.field !== undefined) return `the field ${place.field} of the body`
  return place.entry === undefined
    ? `the header ${place.header ?? ''}`
    : `${place.entry} in the header ${place.header ?? ''}`
}
