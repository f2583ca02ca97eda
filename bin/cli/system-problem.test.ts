import { expect, test } from 'vitest'
import { systemProblem } from './system-problem.js'

const failed = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall })

test('a limit of watched files is distinguished from a full disk', () => {
  expect(systemProblem(failed('ENOSPC', 'write'))).toBe('no space is left on the disk')
  expect(systemProblem(failed('ENOSPC', 'watch'))).toContain('fs.inotify.max_user_watches')
  expect(systemProblem(failed('EMFILE', 'watch'))).toContain('name a smaller folder')
})
