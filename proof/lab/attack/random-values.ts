// Hostile values and messages, composed at random: the same ones for the same seed.
import { gzipSync } from 'node:zlib'
import { Random } from '../../../harness/vectors/random.js'
import { injections } from '../../../harness/testing/hostile/behaviours.js'

/** Chooses among what a hostile peer may send. */
export class Composer {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  below(count: number): number {
    return this.#random.below(count)
  }

  /** True once in `count` times. */
  isOneOf(count: number): boolean {
    return this.below(count) === 0
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0]
  }

  /** Numbers as text: some too long, too large or too small, some not numbers at all. */
  number(): string {
    const digits = this.pick([1, 10, 13, 20, 309, 5_000])
    return this.pick([
      '0',
      '-0',
      '1',
      '-1',
      '1e999',
      '1e-999',
      '0x10',
      'NaN',
      '1.',
      '9'.repeat(digits),
      `-${'8'.repeat(digits)}`,
    ])
  }

  text(): string {
    const word = this.pick([
      'evt_1',
      '',
      '\0',
      '../..',
      '__proto__',
      'é\u0301',
      '2026-01-01T00:00:00.000Z',
      'v1,AAAA',
      injections,
    ])
    return this.pick([word, word, word.repeat(50), 'x'.repeat(this.pick([255, 1_025, 100_000]))])
  }

  /** A text of JSON, valid or nearly so. */
  json(depth = 3): string {
    const items = (make: () => string) => Array.from({ length: this.below(5) }, make).join(',')
    const leaf = () =>
      this.pick([
        this.number(),
        JSON.stringify(this.text()),
        'null',
        'true',
        '"\\ud800"',
        '{}',
        '[]',
        `"${this.number()}"`,
      ])
    if (depth === 0 || this.isOneOf(4)) return leaf()
    if (this.isOneOf(12)) return nested(this.pick([100, 5_000, 200_000]), this.pick(['[', '{"a":']))
    if (this.isOneOf(12)) return `[${repeated(`${leaf()},`, this.pick([100, 20_000]))}0]`
    const key = () =>
      this.pick([
        'id',
        'data',
        'next_after',
        'next_cursor',
        'secret',
        'url',
        'status',
        'error',
        'code',
        'type',
        'timestamp',
        'org_id',
        '__proto__',
        'constructor',
        'signature',
        'ok',
        'value',
        'event',
      ])
    return this.isOneOf(3)
      ? `[${items(() => this.json(depth - 1))}]`
      : `{${items(() => `"${key()}":${this.json(depth - 1)}`)}}`
  }

  body(): Buffer {
    const text = this.json()
    return this.pick([
      () => Buffer.from(text),
      () => Buffer.from(text),
      () => Buffer.from(text.slice(0, this.below(text.length + 1))),
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
      () => Buffer.from(text, 'utf16le'),
      () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
      () => Buffer.alloc(this.pick([0, 70_000, 3_000_000]), '['),
    ])()
  }

  headers(): string[] {
    const one = (): string =>
      this.pick([
        () =>
          `content-type: ${this.pick(['application/json', 'text/html', 'application/json; charset=utf-16', ';;;', 'x'.repeat(9_000)])}`,
        () => `retry-after: ${this.pick([this.number(), 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon'])}`,
        () =>
          `location: ${this.pick(['/', 'https://127.0.0.1:1/', 'javascript:1', '//[::1', `/${'x'.repeat(5_000)}`])}`,
        () => `set-cookie: ${this.pick(['a=b', '=', `s=${'x'.repeat(5_000)}`])}`,
        () => `date: ${this.pick([this.number(), 'Thu, 01 Jan 1970 00:00:00 GMT', 'never'])}`,
        () => `link: <${this.pick(['/v1/events?page=2', '///', ''])}>; rel="next"`,
        () => `x-request-id: ${'x'.repeat(this.pick([1, 5_000]))}`,
        () => `ratelimit-reset: ${this.number()}`,
      ])()
    return Array.from({ length: this.below(5) }, one)
  }
}

/** A text many times, up to 16 million characters. */
function repeated(text: string, count: number): string {
  return text.repeat(Math.min(count, Math.ceil(16_000_000 / text.length)))
}

function nested(depth: number, open: string): string {
  return `${open.repeat(depth)}0${(open === '[' ? ']' : '}').repeat(depth)}`
}

/** One answer as bytes in pieces, each sent so long after the one before. */
export interface HostileAnswer {
  readonly pieces: readonly { readonly bytes: Buffer; readonly afterMs: number }[]
  readonly end: 'close' | 'keep' | 'reset' | 'hang'
}

/** An HTTP answer whose parts are chosen independently of each other. */
export function composeAnswer(composer: Composer): HostileAnswer {
  const status = composer.pick([
    '200 OK',
    '200 OK',
    '201 Created',
    '202 OK',
    '204 No Content',
    '206 Part',
    '307 Moved',
    '400 Bad',
    '401 No',
    '403 No',
    '404 No',
    '409 No',
    '422 No',
    '429 Slow',
    '500 Bad',
    '503 Bad',
    '599 Odd',
    '999 Odd',
    '000 Odd',
    '20 OK',
  ])
  const plain = composer.body()
  const coding = composer.pick(['', '', '', 'gzip', 'false gzip', 'br', 'identity', 'x-none'])
  const body = coding === 'gzip' ? gzipSync(plain) : plain
  const framing = composer.pick(['length', 'length', 'length', 'chunks', 'close', 'short', 'long', 'negative', 'both'])
  const lines = [
    `HTTP/1.1 ${status}`,
    ...composer.headers(),
    ...(coding === '' ? [] : [`content-encoding: ${coding.replace('false ', '')}`]),
    ...framingLines(framing, body.length),
  ]
  const payload =
    framing === 'chunks' || framing === 'both'
      ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
      : body
  const whole = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), payload])
  const cut = composer.isOneOf(6) ? composer.below(whole.length) : whole.length
  const first = composer.isOneOf(4) ? composer.below(cut + 1) : cut
  const end = composer.pick<HostileAnswer['end']>(['keep', 'keep', 'close', 'close', 'reset', 'hang'])
  return {
    pieces: [
      { bytes: whole.subarray(0, first), afterMs: composer.isOneOf(8) ? composer.below(2_000) : 0 },
      { bytes: whole.subarray(first, cut), afterMs: composer.below(1_500) },
    ].filter(({ bytes }) => bytes.length > 0),
    end: framing === 'close' && end === 'keep' ? 'close' : end,
  }
}

function framingLines(framing: string, length: number): string[] {
  const lines: Readonly<Record<string, string[]>> = {
    length: [`content-length: ${length}`],
    short: [`content-length: ${Math.floor(length / 2)}`],
    long: [`content-length: ${length + 1_000}`],
    negative: [`content-length: -${length}`],
    chunks: ['transfer-encoding: chunked'],
    both: ['transfer-encoding: chunked', `content-length: ${length}`],
  }
  return lines[framing] ?? []
}
