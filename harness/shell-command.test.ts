// Commands of the user's: how they end, whatever they write and leave running.
import { expect, test } from 'vitest'
import { startCommand } from './shell-command.js'

async function ended(command: string): Promise<{ failure: string | undefined; ms: number }> {
  const began = performance.now()
  const running = await new Promise<ReturnType<typeof startCommand>>((resolve) => {
    const started = startCommand({ command, environment: {}, called: 'it', onEnd: () => resolve(started) })
  })
  return { failure: running.failure, ms: performance.now() - began }
}

test('one that leaves a program running has ended', async () => {
  const pipes = () => process.getActiveResourcesInfo().filter((resource) => resource === 'PipeWrap').length
  const before = pipes()
  const { failure, ms } = await ended('sleep 30 & exit 0')
  expect(failure).toBeUndefined()
  expect(ms).toBeLessThan(25_000)
  // Nor does the program keep this process from its own end.
  expect(pipes()).toBe(before)
})

test('one that writes a lot has ended well', async () => {
  expect((await ended('head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2')).failure).toBeUndefined()
})

test.each([
  ['echo no such queue >&2; exit 7', 'it exited with 7: no such queue'],
  ['exit 1', 'it exited with 1 and wrote nothing to standard error'],
  ['kill -9 $$', 'it was ended by SIGKILL and wrote nothing to standard error'],
])('%s: %s', async (command, failure) => {
  expect((await ended(command)).failure).toBe(failure)
})
