import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { toleranceSeconds } from '../../spec/index.js'
import { keyOf, sign } from '../wire/signing.js'
import { formProblems, isObject, isVector } from './form.js'
import { vectorSchema } from './vector.js'

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
const mostProblems = 20
/** A JSON document is held as one string, which has this limit; ndjson has none. */
const largestDocumentBytes = 400 * 1024 * 1024
/** Characters that tell a document from ndjson. */
const startCharacters = 100_000

/**
 * Checks a JSON or ndjson file of vectors: its form, and each result against the kit's own signer. An ndjson file is read
 * line by line, in constant memory. Rejects when the file cannot be read.
 */
export async function checkVectorFile(path: string): Promise<VectorCheck> {
  const checker = new Checker()
  if (isDocument(await startOf(path))) {
    const { size } = await stat(path)
    if (size > largestDocumentBytes)
      checker.report({ message: `a JSON document of ${size} bytes is too large to be checked: write it as ndjson` })
    else checker.document(parse(await readFile(path, 'utf8')))
  } else {
    let line = 0
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      line++
      if (text.trim() !== '') checker.line(line, parse(text))
    }
  }
  return checker.result()
}

async function startOf(path: string): Promise<string> {
  let start = ''
  for await (const chunk of createReadStream(path, { end: startCharacters, encoding: 'utf8' })) start += String(chunk)
  return start.trimStart()
}

/** A document is an object with groups, on one line or on many; a file of lines begins with a test. */
function isDocument(start: string): boolean {
  const [firstLine = ''] = start.split('\n')
  const first = parse(firstLine)
  if (isObject(first)) return 'groups' in first || 'schema' in first
  return firstLine.trim() === '{' || /^\{\s*"(?:schema|seed|count|flags|groups)"\s*:/.test(start)
}

class Checker {
  #count = 0
  #problemCount = 0
  readonly #problems: VectorProblem[] = []
  readonly #ids = new Set<number>()

  document(value: unknown): void {
    if (!isObject(value) || value['schema'] !== vectorSchema)
      return this.report({ message: `"schema" is not "${vectorSchema}": not a document of signature vectors` })
    const { schema: _, seed, count, flags, groups, ...unknown } = value
    for (const name of Object.keys(unknown)) this.report({ message: `"${name}" is no member of a document` })
    if (!Number.isSafeInteger(seed)) this.report({ message: '"seed" is not a whole number' })
    if (!isObject(flags)) return this.report({ message: '"flags" is not an object' })
    this.#flags(flags)
    if (!Array.isArray(groups)) return this.report({ message: '"groups" is not a list' })
    for (const group of groups as readonly unknown[]) this.#group(group, flags)
    if (count !== this.#count)
      this.report({ message: `"count" is ${String(count)}, but there are ${this.#count} tests` })
  }

  line(line: number, value: unknown): void {
    const problems = formProblems(value, ['secret'])
    const secret = isObject(value) ? value['secret'] : undefined
    if (typeof secret !== 'string') problems.push('"secret" is not a text')
    this.#test(value, { secret: String(secret), problems, line })
  }

  result(): VectorCheck {
    if (this.#count === 0 && this.#problemCount === 0) this.report({ message: 'the file holds no vector' })
    return { count: this.#count, problems: this.#problems, problemCount: this.#problemCount }
  }

  report(problem: VectorProblem): void {
    this.#problemCount++
    if (this.#problems.length < mostProblems) this.#problems.push(problem)
  }

  #flags(flags: Readonly<Record<string, unknown>>): void {
    for (const [name, flag] of Object.entries(flags)) {
      const isComplete =
        isObject(flag) && typeof flag['description'] === 'string' && typeof flag['requirement'] === 'string'
      if (!isComplete) this.report({ message: `the flag ${name} has no description or no requirement` })
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
        if (this.#ids.has(test.id)) problems.push(`the id ${test.id} stands twice`)
        this.#ids.add(test.id)
      }
      this.#test(test, { secret, problems })
    }
  }

  /** Counts a test, reports its problems, and its result where its form is right. */
  #test(test: unknown, { secret, problems, line }: { secret: string; problems: string[]; line?: number }): void {
    this.#count++
    if (isVector(test, ['secret']) && test.result !== 'acceptable') {
      const body = Buffer.from(test.payload_base64, 'base64')
      const isValid = verifies({ secret, headers: test.headers, body, now: test.now })
      if (isValid !== (test.result === 'valid'))
        problems.push(`marked ${test.result}, but it ${isValid ? 'verifies' : 'does not verify'}`)
    }
    const id = isObject(test) && typeof test['id'] === 'number' ? { id: test['id'] } : {}
    for (const message of problems) this.report({ ...(line === undefined ? {} : { line }), ...id, message })
  }
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
  if (!/^(0|[1-9]\d*)$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) return false
  if (keyOf(secret).length === 0) return false
  return signature.split(' ').includes(sign(secret, { id, timestamp, body }))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
