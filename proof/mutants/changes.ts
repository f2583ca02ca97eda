// What a mutant changes, as texts that a reviewer can compare.
import { existsSync, readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { defaultClientPolicy } from '../../reference/client/policy.js'
import { patched, type Patch } from '../patching/patch.js'
import { receiverPolicy } from '../../reference/receiver/policy.js'
import { senderPolicy } from '../../reference/sender/policy.js'
import { defaultPolicy } from '../../reference/server/policy.js'
import type { AnyMutant } from './define.js'

/** One difference of a mutant to its reference. */
export interface Change {
  /** A file below `reference/`, an entry of a policy, or the reference as a whole. */
  readonly of: string
  /** The whole file or entry. */
  readonly before: string
  readonly after: string
}

const policies: Readonly<Record<string, object>> = {
  server: defaultPolicy,
  client: defaultClientPolicy,
  receiver: receiverPolicy,
  sender: senderPolicy,
}

/** Returns the differences of a mutant: the places it patches, the entries of the policy it replaces, or its wrapper. */
export function changesOf({ id, policy, patch, wrap }: AnyMutant): readonly Change[] {
  const kind = id.slice(0, id.indexOf('/'))
  if (patch !== undefined) return [...new Set(patch.map(({ file }) => file))].flatMap((file) => inFile(file, patch))
  if (wrap !== undefined) return [{ of: `reference/${kind}`, before: '(entry) => entry', after: textOf(wrap) }]
  return Object.entries(policy ?? {}).map(([name, value]) => ({
    of: `reference/${kind}/policy: ${name}`,
    before: textOf(Reflect.get(policies[kind] ?? {}, name)),
    after: textOf(value),
  }))
}

/** The patches of a file, one after the other, in the source where it is at hand and holds them all, else in the built file. */
function inFile(file: string, patches: readonly Patch[]): readonly Change[] {
  const own = patches.filter((patch) => patch.file === file)
  const whole = textsOf(file).find((text) => isPatchable(text, own))
  if (whole === undefined) throw new Error(`reference/${file} does not hold the code that is patched`)
  return own
    .reduce<readonly string[]>((texts, patch) => [...texts, patched(texts.at(-1) ?? '', [patch])], [whole])
    .map((after, index, texts) => ({ of: `reference/${file}`, before: texts[index - 1] ?? after, after }))
    .filter(({ before, after }) => before !== after)
}

function textsOf(file: string): readonly string[] {
  const built = file.replace(/\.ts$/, '.js')
  return [
    `../../../reference/${file}`,
    `../../reference/${file}`,
    `../../reference/${built}`,
    `../../dist/reference/${built}`,
  ]
    .map((path) => new URL(path, import.meta.url))
    .filter((url) => existsSync(url))
    .map((url) => readFileSync(url, 'utf8'))
}

/** Returns false if the replaced code contains types: then it is only in the built file. */
function isPatchable(source: string, patches: readonly Patch[]): boolean {
  try {
    patched(source, patches)
    return true
  } catch {
    return false
  }
}

/** Formats a value as code: functions by their source, also within lists and objects. */
function textOf(value: unknown, indent = ''): string {
  if (typeof value === 'function') return String(value)
  const isList = Array.isArray(value)
  if (!isList && !isPlain(value)) return inspect(value, { depth: null })
  const deeper = `${indent}  `
  const items = isList
    ? value.map((element) => `${deeper}${textOf(element, deeper)},`)
    : Object.entries(value).map(([name, member]) => `${deeper}${name}: ${textOf(member, deeper)},`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return items.length === 0 ? `${open}${close}` : [open, ...items, `${indent}${close}`].join('\n')
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
