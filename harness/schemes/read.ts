import { FileProblem, parseFile } from '../config/document.js'
import { validateFile } from '../config/validate.js'
import type { SchemeData } from '../../fixtures/index.js'
import { signedParts } from './scheme.js'
import { parseTemplate } from './template.js'

type Path = readonly string[]

/** Reads a scheme from a JSON or YAML text. Throws {@link FileProblem} with the line and the remedy. */
export function readScheme(file: string, text: string, schema: object): SchemeData {
  const { value, placeOf } = parseFile(file, text)
  validateFile(value, schema, placeOf)
  const scheme = value as SchemeData
  const [problem] = problemsOf(scheme)
  if (problem !== undefined) throw new FileProblem(`${placeOf(problem.path)}: ${problem.message}`)
  return scheme
}

interface Problem {
  readonly path: Path
  readonly message: string
}

/** Combinations that no delivery can have, in the order of the file. */
function problemsOf(scheme: SchemeData): readonly Problem[] {
  const problems: Problem[] = []
  const add = (path: Path, message: string) => problems.push({ path, message })
  const { id, timestamp, signature, signed, algorithm, key } = scheme
  const uses = (part: string) => signed.includes(`{${part}}`)
  checkTemplate(['signature', 'entry'], signature.entry, ['signature'], add)
  for (const [index, other] of (signature.others ?? []).entries())
    checkTemplate(['signature', 'others', String(index)], other, ['signature'], add)
  checkTemplate(['signed'], signed, signedParts, add)
  if (timestamp?.entry !== undefined) checkTemplate(['timestamp', 'entry'], timestamp.entry, ['timestamp'], add)
  for (const [name, place] of [
    ['id', id],
    ['timestamp', timestamp],
  ] as const)
    if (place !== undefined && (place.header === undefined) === (place.field === undefined))
      add([name], `${name} is in one place: give either header or field`)
  if (uses('id') && id === undefined) add(['signed'], 'signed contains {id}: add id, with the place of the id')
  if (uses('timestamp') && timestamp === undefined)
    add(['signed'], 'signed has {timestamp}: add timestamp, the place of the timestamp')
  if (timestamp?.entry !== undefined && timestamp.header !== signature.header)
    add(
      ['timestamp', 'entry'],
      `timestamp.entry is an entry of the signature header: timestamp.header must be ${signature.header}, or leave entry out`,
    )
  if (timestamp?.header === signature.header && timestamp.entry === undefined)
    add(
      ['timestamp', 'header'],
      'the timestamp shares the signature header: add timestamp.entry, such as t={timestamp}',
    )
  if (signature.separator === undefined && (signature.several === true || timestamp?.entry !== undefined))
    add(['signature'], 'the header has several entries: add signature.separator, such as ","')
  if (timestamp?.header !== undefined && timestamp.header !== signature.header && !uses('timestamp'))
    add(
      ['timestamp', 'header'],
      'the timestamp is a header that is not signed, which anybody can change: add {timestamp} to signed',
    )
  if (algorithm === 'ed25519' && key.form === 'text')
    add(['key', 'form'], 'key.form is text: an Ed25519 key has 32 bytes, so expected base64 or hex')
  if (algorithm !== 'ed25519' && key.public_prefix !== undefined)
    add(['key', 'public_prefix'], 'key.public_prefix is for ed25519: an HMAC has one key, so leave it out')
  if (key.form === 'text' && key.prefix !== undefined)
    add(['key', 'prefix'], 'key.prefix is for encoded keys: of a text the whole secret is the key, so leave it out')
  return problems
}

function checkTemplate(
  path: Path,
  template: string,
  parts: readonly string[],
  add: (path: Path, message: string) => void,
): void {
  try {
    const pieces = parseTemplate(template, parts)
    const names = pieces.flatMap((piece) => ('part' in piece ? [piece.part] : []))
    const repeated = names.find((name, index) => names.indexOf(name) !== index)
    if (repeated !== undefined) add(path, `${path.join('.')} has {${repeated}} twice: each part can be there once`)
  } catch (error) {
    add(path, `${path.join('.')}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
