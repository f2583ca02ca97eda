// Connections to the stream that must get nothing.
import {
  type Project,
  type Sandbox,
  type ServiceContext,
  type Stream,
  type StreamOpening,
} from '../../../harness/authoring.js'
import { faultsOf, type Fault } from './credentials.js'
import { among } from './event-log.js'

/** Whether the connection was refused, or is closed by now; a 5xx is no refusal. */
export async function isRefused(stream: Stream, opening: StreamOpening, sandbox: Sandbox): Promise<boolean> {
  if (opening.kind === 'refused') return opening.status >= 400 && opening.status < 500
  return stream.closes(sandbox.budgetMs)
}

/** Connections that must get nothing, each with what is wrong with it. */
export function strangers(
  project: Project,
  {
    unique,
    gone,
    after,
    others = [],
  }: {
    unique: () => string
    gone: readonly string[]
    after: string | undefined
    others?: readonly Fault[]
  },
): readonly (readonly [string, Stream])[] {
  const wrong = project.api.as(`key_${unique()}`)
  const wrongKeys = faultsOf(project.api.key ?? '', unique, gone).filter(
    ({ requirement }) => requirement === 'AUTH-003',
  )
  const faults = [...wrongKeys, ...others]
  const stranger = { isStranger: true, ...(after === undefined ? {} : { after }) } as const
  return [
    ['without a key', project.stream({ ...stranger, auth: 'none' })],
    ...faults.flatMap(({ name, api }) =>
      (['header', 'token'] as const).map(
        (auth) => [`with ${name} in ${auth}`, project.stream({ ...stranger, api: api(project.api), auth })] as const,
      ),
    ),
    ['with a wrong key in both', project.stream({ ...stranger, api: wrong, auth: 'both' })],
    ['with an empty token', project.stream({ ...stranger, api: project.api.as(''), auth: 'token' })],
  ]
}

/** Holds that connections of strangers that resume after an event are refused or closed, and show nothing of what is `known`. */
export async function expectStrangersGetNothing(
  { check, unique }: Pick<ServiceContext, 'check' | 'unique'>,
  sandbox: Sandbox,
  { after, known, settled }: { after: string; known: readonly string[]; settled: () => Promise<void> },
): Promise<void> {
  const connections = strangers(sandbox.project, { unique, gone: [], after })
  const openings = await Promise.all(connections.map(([, stream]) => stream.opening))
  await settled()
  for (const [index, [name, stream]] of connections.entries()) {
    const opening = openings[index] ?? { kind: 'broken', reason: 'never begun' }
    check.ok(`a stream ${name}`, await isRefused(stream, opening, sandbox), 'refused with a 4xx, or closed', opening)
    check.equal(`events on a stream ${name}`, among(stream.ids, known), [])
  }
}
