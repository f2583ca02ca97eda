import { defineMutant, type Mutant } from '../define.js'
import { inTransport, withUnshownPaths } from './support.js'

const isEmail = "request.operation.startsWith('emails.')"

/** Mistakes in every method outside `emails`, with or without a shown path: code written for `emails` alone. */
export const everyMethodMutants: readonly Mutant<'client'>[] = [
  defineMutant({
    id: 'client/takes-v1-for-emails-alone',
    title: 'sends methods other than emails to /v1/v1 if the base address ends in /v1',
    breaks: ['CLI-060', 'CLI-059', 'CLI-006'],
    patch: [
      withUnshownPaths,
      {
        file: 'client/settings.ts',
        find: '    root,',
        replace: "    root,\n    given: policy.baseUrl(options.baseUrl, env).replace(/\\/+$/, ''),",
      },
      {
        file: 'client/request.ts',
        find: 'const url = `${root}${path}${query}`',
        replace: "const url = `${operation.startsWith('emails.') ? root : settings.given}${path}${query}`",
      },
    ],
  }),
  defineMutant({
    id: 'client/sends-extra-headers-with-emails-alone',
    title: 'the headers option is sent only by the methods of emails',
    breaks: ['CLI-060', 'CLI-059', 'CLI-012'],
    patch: [
      withUnshownPaths,
      {
        file: 'client/request.ts',
        find: 'policy.extraHeaders(settings.headers, {',
        replace: `policy.extraHeaders(${isEmail} ? settings.headers : {}, {`,
      },
    ],
  }),
  defineMutant({
    id: 'client/has-a-minute-in-other-methods',
    title: 'timeoutMs of the client limits only calls of emails',
    breaks: ['CLI-060', 'CLI-059', 'CLI-009'],
    patch: [
      withUnshownPaths,
      inTransport(
        'ofClient: settings.timeoutMs, ofCall',
        "ofClient: call.operation.startsWith('emails.') ? settings.timeoutMs : 60_000, ofCall",
      ),
    ],
  }),
  defineMutant({
    id: 'client/tells-the-codes-of-emails-alone',
    title: 'errors of methods other than emails have another code than the API sent',
    breaks: ['CLI-060', 'CLI-059', 'CLI-031'],
    patch: [
      withUnshownPaths,
      inTransport('said.code ?? fallback.code', `(${isEmail} ? said.code : undefined) ?? fallback.code`),
    ],
  }),
  defineMutant({
    id: 'client/waits-before-sends-alone',
    title: 'every method but emails.send is made again without a wait',
    breaks: ['CLI-060', 'CLI-059', 'CLI-016'],
    patch: [
      withUnshownPaths,
      inTransport(
        'waitedMs = waitMs(outcome',
        "waitedMs = (request.operation === 'emails.send' ? 1 : 0) * waitMs(outcome",
      ),
    ],
  }),
  defineMutant({
    id: 'client/repeats-what-is-no-email-once-more',
    title: 'sends methods other than emails once more than maxRetries allows',
    breaks: ['CLI-060', 'CLI-059', 'CLI-007'],
    patch: [
      withUnshownPaths,
      inTransport(
        'const attempts = policy.attempts(settings.maxRetries)',
        `const attempts = policy.attempts(settings.maxRetries) + (${isEmail} ? 0 : 1)`,
      ),
    ],
  }),
  defineMutant({
    id: 'client/lists-senders-once-more',
    title: 'sends senders.list once more than maxRetries allows',
    breaks: ['CLI-060', 'CLI-007'],
    patch: [
      withUnshownPaths,
      inTransport(
        'const attempts = policy.attempts(settings.maxRetries)',
        "const attempts = policy.attempts(settings.maxRetries) + (call.operation === 'senders.list' ? 1 : 0)",
      ),
    ],
  }),
  defineMutant({
    id: 'client/takes-a-new-key-for-a-message-after-a-time-out',
    title: 'a message that got no answer in time is sent again with a new key',
    breaks: ['CLI-023', 'CLI-024'],
    patch: [
      withUnshownPaths,
      inTransport('const keyOf = createKeys', 'let keyOf = createKeys'),
      inTransport(
        'waitedMs = waitMs(outcome,',
        "if (request.operation.startsWith('messages.') && outcome.kind === 'failure' && outcome.code === 'timeout') keyOf = createKeys(request, { settings, given })\n      waitedMs = waitMs(outcome,",
      ),
    ],
  }),
  defineMutant({
    id: 'client/gives-up-where-nobody-listens',
    title: 'a refused connection is not retried',
    breaks: ['CLI-015'],
    patch: [
      inTransport(
        "if (outcome.kind === 'failure') return",
        "if (outcome.kind === 'failure' && JSON.stringify(outcome.cause?.cause ?? '').includes('ECONNREFUSED')) return false\n  if (outcome.kind === 'failure') return",
      ),
    ],
  }),
]
