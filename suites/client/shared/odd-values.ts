import { blanks, controls, plainTexts } from '../../shared/texts.js'

/** Members with the values that a library may be tempted to read as others: of an answer, or of an event. */
export const oddValues = {
  // Each is a text, whatever it looks like.
  texts: [...plainTexts, ...blanks, ...controls, 'one\u0000two'],
  numbers: [-1, -0.5, 3_000_000_000, 1e-7],
  lists: [[[]], [[1], [2]], [null, 1], ['a', 'a'], ['b', 'a'], ['one']],
  object: { '': 'no name', 'a.b': 1, 'a-b': 2, ' a ': 3, _a: 4 },
  deep: { a: { a: { a: { a: { a: { a: { a: { a: ['deep'] } } } } } } } },
  long: 'Long. '.repeat(2_000),
} as const

/** Objects that are lists to a language which has one thing for both. */
export const objectsLikeLists = { none: {}, inList: [{}], numbered: { '0': 'a', '1': 'b' } } as const

/** Members that errors and records share: the status decides which one an answer is. */
export const membersOfErrors = {
  error: 'blocked_private_address',
  code: 'not_an_error',
  message: 'It is a part of the record.',
  result: { ok: false },
  success: false,
  response_code: 500,
} as const
