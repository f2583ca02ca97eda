// Patches are of the built reference, so that the question is put by a program of its own.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = `
import { createLoader } from ${JSON.stringify(new URL('../../dist/proof/patching/load.js', import.meta.url).href)}

const counts = (id, counter) => ({
  id,
  patch: [{
    file: 'verifier/verifier.ts',
    find: 'return \`v1,\${macOf(keyOf(secret), id, seconds, bodyOf(payload))}\`',
    replace: \`return String(\${counter})\`,
  }],
})
const stateful = counts('stateful', 'ownState.calls = (ownState.calls ?? 0) + 1')
const stateless = counts('stateless', '1')
const load = createLoader([stateful, stateless])
const sign = ({ sign }) => sign({ id: 'msg_1', timestamp: 1, payload: '', secret: 'whsec_' + btoa('a secret of 32 bytes for testing') })

const [first, second] = [await load('verifier', [stateful]), await load('verifier', [stateful])]
const cached = await load('verifier', [stateless])
const again = await load('verifier', [stateless])
console.log(JSON.stringify([sign(first), sign(first), sign(second), sign(first), cached.sign === again.sign]))
`

it('each loaded copy keeps what its patches keep for itself, and one that keeps nothing is loaded once', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(JSON.parse(stdout)).toEqual(['1', '2', '1', '3', true])
})

it('a copy throws the errors that its entry exports, though no patch concerns their module', async () => {
  const noKey = `
import { createLoader } from ${JSON.stringify(new URL('../../dist/proof/patching/load.js', import.meta.url).href)}

const waiting = { id: 'waiting', patch: [{ file: 'client/runtime.ts', find: 'Math.ceil(leftMs)', replace: 'leftMs' }] }
const { PolicyClient, ServiceError } = await createLoader([waiting])('client', [waiting])
try {
  new PolicyClient({}, '', { env: {} })
} catch (error) {
  console.log(error instanceof ServiceError)
}
`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', noKey])
  expect(stdout).toBe('true\n')
})
