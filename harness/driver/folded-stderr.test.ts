import { expect, it } from 'vitest'
import { FoldedStderr } from './folded-stderr.js'

it('a traceback that repeats is shown once, and counted', () => {
  const shown: string[] = []
  const stderr = new FoldedStderr((line) => shown.push(line))
  for (let count = 0; count < 100; count++) {
    stderr.add('Traceback (most recent call last):')
    stderr.add(`  File "driver.py", line ${count}, in verify`)
    stderr.add('')
  }
  expect(shown).toEqual([
    'Traceback (most recent call last):',
    '  File "driver.py", line 0, in verify',
    '(10 lines of standard error folded: they repeat lines above)',
    '(100 lines of standard error folded: they repeat lines above)',
  ])
})
