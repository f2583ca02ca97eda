import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { toleranceSeconds } from '../../spec/index.js'
import { memberOf } from '../wire/exchange.js'
import { keyOf, sign } from '../wire/signing.js'
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

/** Checks a JSON or ndjson file of vectors: its form, and each result against the kit's own signer. Rejects when it cannot be read. */
export async function checkVectorFile(path: string): Promise<VectorCheck> {
  const checker = new Checker()
  if (await isDocument(path)) checker.document(parse(await readFile(path, 'utf8')))
  else {
    let line = 0
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      line++
      if (text.trim() !== '') checker.line(line, parse(text))
    }
  }
  return checker.result()
}

/** A document names its schema at the start; an ndjson line does not. */
async function isDocument(path: string): Promise<boolean> {
  let start = ''
  for await (const chunk of createReadStream(path, { start: 0, end: 1_000, encoding: 'utf8' })) start += String(chunk)
  const firstLine = start.split('\n')[0] ?? ''
  const isLine = firstLine.includes('"secret"') && !firstLine.includes('"schema"')
  return !isLine
}

class Checker {
  #count = 0
  #problemCount = 0
  readonly #problems: VectorProblem[] = []
  readonly #ids = new Set<number>()

  document(value: unknown): void {
    if (memberOf(value, 'schema') !== vectorSchema)
      return this.#report({ message: `"schema" is not "${vectorSchema}": not a document of signature vectors` })
    const flags = memberOf(value, 'flags')
    const groups = memberOf(value, 'groups')
    if (!Array.isArray(groups)) return this.#report({ message: '"groups" is not a list' })
    for (const group of groups as unknown[]) {
      const tests = memberOf(group, 'tests')
      if (!Array.isArray(tests)) this.#report({ message: 'a group has no list "tests"' })
      else for (const test of tests as unknown[]) this.#test(test, memberOf(group, 'secret'), flags, {})
    }
    const count = memberOf(value, 'count')
    if (count !== this.#count)
      this.#report({ message: `"count" is ${String(count)}, but there are ${this.#count} tests` })
  }

  line(line: number, value: unknown): void {
    this.#test(value, memberOf(value, 'secret'), undefined, { line })
  }

  result(): VectorCheck {
    if (this.#count === 0 && this.#problemCount === 0) this.#report({ message: 'the file holds no vector' })
    return { count: this.#count, problems: this.#problems, problemCount: this.#problemCount }
  }

  #test(test: unknown, secret: unknown, flags: unknown, place: { line?: number }): void {
    this.#count++
    const id = memberOf(test, 'id')
    const headers = memberOf(test, 'headers')
    const payload = memberOf(test, 'payload_base64')
    const now = memberOf(test, 'now')
    const result = memberOf(test, 'result')
    const names = memberOf(test, 'flags')
    const at = { ...place, ...(typeof id === 'number' ? { id } : {}) }
    const form =
      typeof test !== 'object' || test === null
        ? 'not a JSON object'
        : typeof id !== 'number' || !Number.isInteger(id) || id < 1
          ? '"id" is not a positive whole number'
          : typeof secret !== 'string'
            ? '"secret" is not a text'
            : typeof headers !== 'object' || headers === null
              ? '"headers" is not an object'
              : typeof payload !== 'string' || Buffer.from(payload, 'base64').toString('base64') !== payload
                ? '"payload_base64" is not base64'
                : typeof now !== 'number' || !Number.isInteger(now)
                  ? '"now" is not a whole number of seconds'
                  : result !== 'valid' && result !== 'invalid' && result !== 'acceptable'
                    ? '"result" is not valid, invalid or acceptable'
                    : !Array.isArray(names) || names.some((name) => typeof name !== 'string')
                      ? '"flags" is not a list of texts'
                      : undefined
    if (form !== undefined) return this.#report({ ...at, message: form })
    if (this.#ids.has(id as number)) this.#report({ ...at, message: `the id ${String(id)} stands twice` })
    if (place.line === undefined) this.#ids.add(id as number)
    if (flags !== undefined)
      for (const name of names as string[])
        if (memberOf(flags, name) === undefined) this.#report({ ...at, message: `the flag ${name} is not declared` })
    if (result === 'acceptable') return
    const isValid = verifies(
      secret as string,
      headers as Readonly<Record<string, unknown>>,
      Buffer.from(payload as string, 'base64'),
      now as number,
    )
    if (isValid !== (result === 'valid'))
      this.#report({ ...at, message: `marked ${String(result)}, but it ${isValid ? 'verifies' : 'does not verify'}` })
  }

  #report(problem: VectorProblem): void {
    this.#problemCount++
    if (this.#problems.length < mostProblems) this.#problems.push(problem)
  }
}

/** The interface's rules, strictly: what no verifier may disagree on is decided here and nothing else. */
function verifies(secret: string, headers: Readonly<Record<string, unknown>>, body: Uint8Array, now: number): boolean {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    given.get(name),
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return false
  if (id === '' || !/^(0|[1-9]\d*)$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds)
    return false
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
