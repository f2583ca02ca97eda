// A driver that plays recorded answers in turn: node player.mjs <file of JSON lines { text, error, delayMs, exit }>
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const answers = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
let count = 0

for await (const line of createInterface({ input: process.stdin })) {
  const { id, op } = JSON.parse(line)
  if (op === 'hello') {
    process.stdout.write(`${JSON.stringify({ id, name: 'player', version: '1', language: 'javascript' })}\n`)
    continue
  }
  const { text, error, delayMs, exit } = answers[count++ % answers.length]
  setTimeout(() => {
    process.stderr.write(error)
    process.stdout.write(text.replaceAll('{{id}}', JSON.stringify(id)))
    if (exit) process.exit(3)
  }, delayMs)
}
