// Texts that may have been signed instead of the id, the timestamp and the body of the interface's own scheme.
import type { Candidate, Fault } from './finding.js'
import type { Layout } from './search.js'

const contentFault = (explanation: string): Fault => ({
  cause: 'signed-content',
  explanation,
  remedy:
    'Sign {webhook-id}.{webhook-timestamp}.{raw body}: the two headers and the bytes of the body, with dots between.',
})

type Prefix = (id: string, timestamp: string) => string

function withPrefix(explanation: string, prefix: Prefix): Candidate<Layout> {
  return {
    value: ({ id, timestamp, body }) => [prefix(id, timestamp), body],
    fault: contentFault(explanation),
  }
}

function withoutBody(explanation: string, prefix: Prefix): Candidate<Layout> {
  return { value: ({ id, timestamp }) => [prefix(id, timestamp)], fault: contentFault(explanation) }
}

/** The signed contents of the interface, the right one first. */
export const layouts: readonly Candidate<Layout>[] = [
  { value: ({ id, timestamp, body }) => [`${id}.${timestamp}.`, body] },
  withPrefix('Only the body is signed.', () => ''),
  withPrefix('The id is not signed: only the timestamp and the body are.', (_, timestamp) => `${timestamp}.`),
  withPrefix('The timestamp is not signed: only the id and the body are.', (id) => `${id}.`),
  withPrefix('The timestamp is before the id in the signed string.', (id, timestamp) => `${timestamp}.${id}.`),
  withPrefix('The parts of the signed string are not separated by dots.', (id, timestamp) => `${id}${timestamp}`),
  withPrefix('The signed string has no dot before the body.', (id, timestamp) => `${id}.${timestamp}`),
  withPrefix('Only the timestamp and the body are signed, without a dot.', (_, timestamp) => timestamp),
  ...([':', '|', ',', '\n', '-', ' '] as const).map((mark) =>
    withPrefix(`${JSON.stringify(mark)} separates the parts of the signed string, not a dot.`, (id, timestamp) =>
      [id, timestamp, ''].join(mark),
    ),
  ),
  withoutBody(
    'The body is not signed: it was empty when the signature was made.',
    (id, timestamp) => `${id}.${timestamp}.`,
  ),
  withoutBody('The body is not signed: only the id and the timestamp are.', (id, timestamp) => `${id}.${timestamp}`),
]
