import { expect, test } from 'vitest'
import { CaseErrored, CaseSkipped, CheckFailed } from '../../harness/check.js'
import { isOfEndedCase } from './stray-error.js'

test('what a case throws after its end is told from what nobody foresaw', () => {
  for (const error of [new CaseErrored('the client is destroyed'), new CaseSkipped('why'), new CheckFailed([])])
    expect(isOfEndedCase(error)).toBe(true)
  for (const error of [new TypeError('x is undefined'), 'CaseErrored', undefined])
    expect(isOfEndedCase(error)).toBe(false)
})
