// A driver that answers `hello`, and then misbehaves: node driver.mjs <behaviour>
const [behaviour] = process.argv.slice(2)

const hello = { name: 'hostile', version: '1', language: 'javascript' }
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const evil = '\u001b]0;owned\u0007\u009b31m\n::error::owned\n##[error]owned\n<script>owned()</script>\u202e\ud800'
const block = 'x'.repeat(65_536)
const write = (text) => process.stdout.write(text)
const answer = (id, fields) => write(`${JSON.stringify({ id, ...fields })}\n`)

/** Writes again and again, as fast as it is read. */
function pour(stream, piece) {
  const more = () => {
    while (stream.write(piece));
  }
  stream.on('drain', more)
  more()
}

const behaviours = {
  silent: () => {},
  'no-newline': () => pour(process.stdout, block),
  'stderr-flood': (id) => {
    pour(process.stderr, `${evil} ${block}\n`)
    setTimeout(() => answer(id, { ok: false, error: { code: 'no', message: 'no' } }), 50)
  },
  'exit-in-the-middle': (id) => write(`{"id":${id},"ok":tr`) && setTimeout(() => process.exit(7), 20),
  'unknown-ids': (id) => pour(process.stdout, `{"id":${id + 1_000_000},"ok":true}\n`.repeat(100)),
  duplicates: (id) => write(`{"id":${id},"ok":false,"error":{}}\n`.repeat(1_000)),
  'text-ids': (id) => write(`{"id":"${id}","ok":true}\n`),
  garbage: () => write('Traceback (most recent call last):\n  boom\n'),
  injections: (id) => {
    process.stderr.write(`${evil}\n`)
    answer(id, { ok: false, error: { code: evil, message: evil, fix: evil, [evil]: evil }, value: evil, event: evil })
  },
  deep: (id) => write(`{"id":${id},"ok":true,"value":${deep},"event":${deep}}\n`),
  'odd-unsupported': (id) => write(`{"id":${id},"unsupported":{"toString":1,"valueOf":1}}\n`),
  'prototype-keys': (id) =>
    write(
      `{"id":${id},"__proto__":{"ok":true},"constructor":{"prototype":{"ok":true}},"ok":true,"value":{"__proto__":{"id":1},"toString":1},"event":{"__proto__":{"id":1}}}\n`,
    ),
  'invalid-utf8': (id) =>
    process.stdout.write(
      Buffer.concat([Buffer.from(`{"id":${id},"ok":"`), Buffer.from([0xff, 0xc0]), Buffer.from('"}\n')]),
    ),
  'prints-secrets': (id, request) => {
    process.stderr.write(`${JSON.stringify(request)} ${JSON.stringify(process.env)}\n`)
    answer(id, { ok: false, error: { message: `${JSON.stringify(request)} ${JSON.stringify(process.env)}` } })
  },
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    const request = JSON.parse(line)
    if (request.op === 'hello') answer(request.id, behaviour === 'injections' ? { ...hello, name: evil } : hello)
    else behaviours[behaviour](request.id, request)
  }
})
if (behaviour === 'silent') process.stdin.on('end', () => setInterval(() => {}, 1_000))
