import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

const { errorBody } = defaultPolicy

/** Deviations in errors. */
export const errorsMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/answers-below-v2',
    title: 'the API answers below /v2',
    breaks: ['VER-001'],
    policy: { pathPrefix: '/v2' },
  }),
  defineMutant({
    id: 'server/errors-without-fix',
    title: 'errors have no fix',
    breaks: ['ERR-001', 'ERR-005'],
    policy: {
      errorBody: ({ code, message, errors }) => ({ code, message, ...(errors && { errors }) }),
    },
  }),
  defineMutant({
    id: 'server/errors-without-code',
    title: 'errors have only a message',
    breaks: ['ERR-001', 'ERR-005'],
    policy: {
      errorBody: ({ message, fix }) => ({ message, fix }),
    },
  }),
  defineMutant({
    id: 'server/errors-as-text',
    title: 'an error is a bare string',
    breaks: ['ERR-001', 'ERR-005'],
    policy: {
      errorBody: ({ message }) => message,
    },
  }),
  defineMutant({
    id: 'server/tells-validation-errors-as-its-framework-does',
    title: 'an invalid request gets the body of the framework',
    breaks: ['ERR-001'],
    policy: {
      errorBody: (error) =>
        error.status === 400
          ? { detail: [{ loc: ['body'], msg: error.message, type: 'value_error' }] }
          : errorBody(error),
    },
  }),
  defineMutant({
    id: 'server/tells-unknown-ids-as-its-framework-does',
    title: 'an unknown id gets the body of the framework',
    breaks: ['ERR-001'],
    policy: {
      errorBody: (error) =>
        error.status === 404 ? { statusCode: 404, message: 'Not Found', error: 'Not Found' } : errorBody(error),
    },
  }),
  defineMutant({
    id: 'server/tells-auth-errors-without-fix',
    title: 'only the refusal of a credential has no fix',
    breaks: ['ERR-005'],
    policy: {
      errorBody: (error) => (error.status === 401 ? { code: error.code, message: error.message } : errorBody(error)),
    },
  }),
  defineMutant({
    id: 'server/unknown-ids-are-500',
    title: 'an unknown id gets a 500',
    breaks: ['ERR-003', 'ERR-004'],
    policy: { foreignIdStatus: 500 },
  }),
  defineMutant({
    id: 'server/unknown-ids-are-200',
    title: 'an unknown id is answered with 200',
    breaks: ['ERR-004'],
    policy: { foreignIdStatus: 200 },
  }),
]
