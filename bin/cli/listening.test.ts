import { expect, it } from 'vitest'
import { ListenRefused } from '../../harness/webhook-sink.js'
import { listening, listenProblem } from './listening.js'

const named = { host: '--host', port: '--port' }
const failing = (code: string) => Object.assign(new Error(`listen ${code}`), { code })

it('calls the parts of an address as the user does', () => {
  expect(listenProblem(failing('EADDRINUSE'), named)).toBe(
    'is in use: choose another --port, or 0 for any that is free',
  )
  expect(listenProblem(failing('ENOTFOUND'), named)).toBe('has no address: choose another --host')
})

it('reports that file descriptors ran out, for any listener', () => {
  expect(listenProblem(failing('EMFILE'), named)).toMatch(/raise the limit \(ulimit -n\)/)
})

it('names the setting, the address and the remedy in one line', async () => {
  const start = (code: string) => listening('--listen', { host: '::1', port: 80 }, () => Promise.reject(failing(code)))
  await expect(start('EACCES')).rejects.toThrow('--listen [::1]:80 may not be listened on: choose a port from 1024 up')
  await expect(start('EPERM')).rejects.toThrow('--listen [::1]:80 cannot be listened on (EPERM)')
  await expect(start('EPERM')).rejects.not.toBeInstanceOf(ListenRefused)
})
