import { expect, test } from 'vitest'
import { CaseErrored, CaseSkipped, CheckFailed } from '../../harness/check.js'
import { isOfEndedCase } from './stray-error.js'

test('an error that a case throws after its end is distinguished from an unforeseen one', () => {
  for (const error of [new CaseErrored('the client is destroyed'), new CaseSkipped('why'), new CheckFailed([])])
    expect(isOfEndedCase(error)).toBe(true)
  for (const error of [new TypeError('x is undefined'), 'CaseErrored', undefined])
    expect(isOfEndedCase(error)).toBe(false)
})
