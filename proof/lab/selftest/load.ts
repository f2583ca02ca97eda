import { spawn } from 'node:child_process'

/** Spins until its parent is gone. */
const loop = 'const parent = process.ppid; while (process.ppid === parent);'

/** Keeps `count` cores busy until the returned function is called: a verdict must not depend on an idle machine. */
export function keepBusy(count: number): () => void {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }))
  return () => {
    for (const child of children) child.kill('SIGKILL')
  }
}
