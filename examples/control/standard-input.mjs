// The control interface on standard input, for `control: { command: … }`: one call a line, one answer a line, in any order.
import { createInterface } from 'node:readline'
import { answerControl, problem } from './answer.mjs'

/** @param {{ name: string, version: string, hooks: import('./answer.mjs').Hooks }} service */
export async function answerStandardInput(service) {
  const open = []
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, ...call } = JSON.parse(line)
    const answer = answerControl(service, call)
      .catch((error) => problem(500, 'internal_error', String(error), 'Look at the standard error of the command.'))
      .then((given) => process.stdout.write(`${JSON.stringify({ id, ...given })}\n`))
    open.push(answer)
  }
  await Promise.all(open)
}
