import { asText } from '../wire/json.js'
import { isDeepStrictEqual } from 'node:util'
import { toleranceSeconds } from '../../spec/index.js'
import { readOnce, wholeOf } from '../read-once.js'
import { inFamily, type HeaderFamily } from '../wire/header-family.js'
import { parseWholeNumber } from '../wire/numbers.js'
import { keyOf, sign } from '../wire/signing.js'
import { curatedVectors } from './curated/index.js'
import { vectorFlags, type VectorFlagName } from './flags.js'
import { formProblems, isObject, isVector } from './form.js'
import { generateVectors } from './generate.js'
import { KnownFlags } from './known-flags.js'
import { linesOf, LineTooLong } from './lines.js'
import { SeenIds } from './seen-ids.js'
import { vectorSchema, type Vector } from './vector.js'

export interface VectorProblem {
  /** Line of an ndjson file. */
  readonly line?: number
  readonly id?: number
  readonly message: string
}

export interface VectorCheck {
  readonly count: number
  /** The first problems; {@link problemCount} is how many there are. */
  readonly problems: readonly VectorProblem[]
  readonly problemCount: number
}

/** Problems that are kept. */
const maxProblems = 20
/** A JSON document is held whole, so that it has this limit, some 70,000 vectors; ndjson has none. */
const largestDocumentBytes = 32 * 1024 * 1024
/** Bytes that distinguish a document from ndjson, and the two families of header names. */
const startBytes = 100_000

/**
 * Checks a JSON or ndjson file of vectors: its form, each result with the kit's own signer and with its flags, that each id is unique, a
 * document with the one of its seed, and a line with the tests of the kit; of a document with flags of its own the form and the results. An
 * ndjson file is read line by line, in constant memory. Rejects when the file is unreadable.
 */
export async function checkVectorFile(path: string): Promise<VectorCheck> {
  const file = await readOnce(path, startBytes)
  const start = file.start.toString('utf8').trimStart()
  const checker = new Checker(familyOf(start))
  if (isDocument(start)) {
    const bytes = await wholeOf(file.chunks, largestDocumentBytes)
    if (bytes === undefined)
      checker.report({
        message: `a JSON document of more than ${largestDocumentBytes} bytes is too large: write it as ndjson`,
      })
    else checker.document(parse(bytes.toString('utf8')))
    return checker.result()
  }
  let line = 0
  try {
    for await (const text of linesOf(file.chunks)) {
      line++
      if (text.trim() !== '') checker.line(line, parse(text))
      if (checker.isHopeless) {
        checker.report({ line, message: `${hopelessFrom} problems: the rest of the file was not read` })
        break
      }
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error
    checker.report({ line: line + 1, message: error.message })
  }
  return checker.result()
}

/** A document is an object with groups, on one line or on many; a file of lines begins with a test. */
function isDocument(start: string): boolean {
  const [firstLine = ''] = start.split('\n')
  const first = parse(firstLine)
  if (isObject(first)) return 'groups' in first || 'schema' in first
  return firstLine.trim() === '{' || /^\{\s*"(?:schema|seed|count|flags|groups)"\s*:/.test(start)
}

function familyOf(start: string): HeaderFamily {
  return start.split('"svix-id"').length > start.split('"webhook-id"').length ? 'svix' : 'webhook'
}

/** After this many problems the rest of a file is not read: it may be endless. */
const hopelessFrom = 10_000

class Checker {
  #count = 0
  #problemCount = 0
  readonly #problems: VectorProblem[] = []
  readonly #ids = new SeenIds()
  readonly #family: HeaderFamily
  /** A document of another program: its flags are not the kit's, so neither they nor its seed determine the tests. */
  #isOfOthers = false

  constructor(family: HeaderFamily) {
    this.#family = family
  }

  get isHopeless(): boolean {
    return this.#problemCount >= hopelessFrom
  }

  document(value: unknown): void {
    if (value === undefined) return this.report({ message: 'it is not a whole JSON document: cut short, or damaged' })
    if (!isObject(value) || value['schema'] !== vectorSchema)
      return this.report({ message: `"schema" is not "${vectorSchema}": not a document of signature vectors` })
    const { schema: _, seed, count, flags, groups, ...unknown } = value
    for (const name of Object.keys(unknown)) this.report({ message: `"${name}" is not a member of a document` })
    if (!Number.isSafeInteger(seed)) this.report({ message: '"seed" is not a whole number' })
    if (!isObject(flags)) return this.report({ message: '"flags" is not an object' })
    this.#flags(flags)
    if (!Array.isArray(groups)) return this.report({ message: '"groups" is not a list' })
    for (const group of groups as readonly unknown[]) this.#group(group, flags)
    if (count !== this.#count)
      this.report({ message: `"count" is ${asText(count)}, but there are ${this.#count} tests` })
    if (this.#problemCount === 0 && !this.#isOfOthers) this.#against(Number(seed), groups as VectorGroups)
  }

  line(line: number, value: unknown): void {
    const problems = formProblems(value, ['secret'])
    const secret = isObject(value) ? value['secret'] : undefined
    let due: string | undefined
    if (typeof secret !== 'string') problems.push('"secret" is not a string')
    else if (isVector(value, ['secret'])) {
      if (!this.#ids.add(value.id)) problems.push(`the id ${value.id} is repeated`)
      const areKnown = value.flags.every((name) => knownFlag(name) !== undefined)
      const instead = areKnown ? knownFlags().instead({ ...value, secret }) : undefined
      if (instead?.flags !== undefined) problems.push(`the flags of this test are ${instead.flags}`)
      due = instead?.result
    }
    this.#test(value, { secret: asText(secret), problems, line, ...(due === undefined ? {} : { due }) })
  }

  result(): VectorCheck {
    if (this.#count === 0 && this.#problemCount === 0) this.report({ message: 'the file contains no vector' })
    return { count: this.#count, problems: this.#problems, problemCount: this.#problemCount }
  }

  report(problem: VectorProblem): void {
    this.#problemCount++
    if (this.#problems.length < maxProblems) this.#problems.push(problem)
  }

  #flags(flags: Readonly<Record<string, unknown>>): void {
    const all = Object.entries(flags)
    this.#isOfOthers = all.length > 0 && !all.some(([name, flag]) => isDeepStrictEqual(flag, knownFlag(name)))
    if (this.#isOfOthers) {
      for (const [name, flag] of all)
        if (!isFlag(flag)) this.report({ message: `the flag ${name} has no text "description" or "requirement"` })
      return
    }
    for (const [name, flag] of all) {
      const known = knownFlag(name)
      if (known === undefined) this.report({ message: `the flag ${name} is not one of this format` })
      else if (!isDeepStrictEqual(flag, known))
        this.report({ message: `the flag ${name} has another description or requirement than ${known.requirement}` })
    }
  }

  #group(group: unknown, flags: Readonly<Record<string, unknown>>): void {
    if (!isObject(group) || typeof group['secret'] !== 'string' || !Array.isArray(group['tests']))
      return this.report({ message: 'a group has no text "secret" or no list "tests"' })
    const { secret, tests } = group
    for (const test of tests as readonly unknown[]) {
      const problems = formProblems(test)
      if (isVector(test)) {
        for (const name of test.flags)
          if (!Object.hasOwn(flags, name)) problems.push(`the flag ${name} is not declared`)
        if (!this.#ids.add(test.id)) problems.push(`the id ${test.id} is repeated`)
      }
      this.#test(test, { secret, problems })
    }
  }

  /** Counts a test, reports its problems, and its result where its form is right. `due`: the one that this test of the kit has. */
  #test(
    test: unknown,
    { secret, problems, line, due }: { secret: string; problems: string[]; line?: number; due?: string },
  ): void {
    this.#count++
    if (isVector(test, ['secret'])) {
      const body = Buffer.from(test.payload_base64, 'base64')
      const headers = inFamily(test.headers, this.#family)
      const isValid = verifies({ secret, headers, body, now: test.now })
      if (test.result !== 'acceptable' && isValid !== (test.result === 'valid'))
        problems.push(`marked ${test.result}, but it ${isValid ? 'verifies' : 'does not verify'}`)
      for (const name of this.#isOfOthers ? [] : test.flags) {
        const results = resultsOf().get(name)
        if (results === undefined) problems.push(`the flag ${name} is not one of this format`)
        else if (!results.has(test.result))
          problems.push(`marked ${test.result}, which no test with the flag ${name} is`)
      }
      if (due !== undefined && problems.length === 0) problems.push(`marked ${test.result}, and this test is ${due}`)
    }
    const id = isObject(test) && typeof test['id'] === 'number' ? { id: test['id'] } : {}
    for (const message of problems) this.report({ ...(line === undefined ? {} : { line }), ...id, message })
  }

  /** A document is what its seed gives, test by test; 0 is the seed of the curated one. */
  #against(seed: number, groups: VectorGroups): void {
    const tests = groups.flatMap(({ secret, tests: own }) => own.map((test) => ({ ...test, secret })))
    const expected =
      seed === 0 ? curatedTests() : generateVectors({ count: tests.length, seed, headerNames: this.#family })
    let count = 0
    for (const made of expected) {
      const test = tests[count++]
      if (test !== undefined && isDeepStrictEqual(test, made)) continue
      return this.report({
        ...(test === undefined ? {} : { id: test.id }),
        message: `it is not the test that seed ${seed} gives in this place: a seed, a flag or a test was changed`,
      })
    }
    if (count !== tests.length)
      this.report({ message: `seed ${seed} gives ${count} tests, and there are ${tests.length}` })
  }
}

type VectorGroups = readonly { readonly secret: string; readonly tests: readonly Vector[] }[]

function curatedTests(): (Vector & { readonly secret: string })[] {
  return curatedVectors().groups.flatMap(({ secret, tests }) => tests.map((test) => ({ ...test, secret })))
}

function isFlag(flag: unknown): boolean {
  return isObject(flag) && typeof flag['description'] === 'string' && typeof flag['requirement'] === 'string'
}

function knownFlag(name: string): { readonly description: string; readonly requirement: string } | undefined {
  return Object.hasOwn(vectorFlags, name) ? vectorFlags[name as VectorFlagName] : undefined
}

let flagsOfKit: KnownFlags | undefined

function knownFlags(): KnownFlags {
  return (flagsOfKit ??= new KnownFlags(curatedTests(), generateVectors({ count: 2_000, seed: 1 })))
}

let known: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** The results that tests with a flag have. */
function resultsOf(): ReadonlyMap<string, ReadonlySet<string>> {
  if (known !== undefined) return known
  const results = new Map<string, Set<string>>()
  for (const { flags, result } of [...curatedTests(), ...generateVectors({ count: 2_000, seed: 1 })])
    for (const name of flags) results.set(name, (results.get(name) ?? new Set()).add(result))
  known = results
  return known
}

interface Judged {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly now: number
}

/** The interface's rules, strictly: what no verifier may disagree on is decided here and nothing else. */
function verifies({ secret, headers, body, now }: Judged): boolean {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const id = given.get('webhook-id')
  const timestamp = given.get('webhook-timestamp')
  const signature = given.get('webhook-signature')
  if (id === undefined || id === '' || timestamp === undefined || signature === undefined) return false
  const isFresh = Math.abs(now - parseWholeNumber(timestamp)) <= toleranceSeconds
  if (!/^(0|[1-9]\d*)$/.test(timestamp) || !isFresh) return false
  if (keyOf(secret).length === 0) return false
  return signature.split(' ').includes(sign(secret, { id, timestamp, body }))
}

/** PowerShell writes a byte order mark in front. A document of vectors holds more values than are taken of a target. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
