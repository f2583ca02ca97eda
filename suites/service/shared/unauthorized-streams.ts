// Connections to the stream that must get nothing.
import {
  type Project,
  type Sandbox,
  type ServiceContext,
  type Stream,
  type StreamOpening,
} from '../../../harness/authoring.js'
import { faultsOf, type Fault } from './credentials.js'
import { knownAmong } from './event-log.js'

type OtherOrgs = readonly (readonly [string, Stream])[]

/** Checks that each connection was refused with a 4xx or is closed, and showed none of the events `known`. */
export async function expectRefused(
  connections: OtherOrgs,
  openings: readonly StreamOpening[],
  {
    check,
    missed,
    sandbox,
    known,
  }: Pick<ServiceContext, 'check' | 'missed'> & { readonly sandbox: Sandbox; readonly known: readonly string[] },
): Promise<void> {
  const isRefused = async ([, stream]: OtherOrgs[number], index: number) => {
    const opening = openings[index]
    if (opening?.kind === 'refused') return opening.status >= 400 && opening.status < 500
    const isClosed = await stream.closes(sandbox.budgetMs)
    if (!isClosed) missed()
    return isClosed
  }
  const refused = await Promise.all(connections.map(isRefused))
  for (const [index, [name, stream]] of connections.entries()) {
    check.ok(`a stream ${name}`, refused[index] === true, 'refused with a 4xx, or closed', openings[index])
    check.equal(`events on a stream ${name}`, knownAmong(stream.ids, known), [])
  }
}

/** Connections that must get nothing, each with its fault. */
export function unauthorizedStreams(
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
): OtherOrgs {
  const wrong = project.api.as(`key_${unique()}`)
  const wrongKeys = faultsOf(project.api.key ?? '', unique, gone).filter(
    ({ requirement }) => requirement === 'AUTH-003',
  )
  const faults = [...wrongKeys, ...others]
  const unrelated = { isUnrelated: true, ...(after === undefined ? {} : { after }) } as const
  return [
    ['without a key', project.stream({ ...unrelated, auth: 'none' })],
    ...faults.flatMap(({ name, api }) =>
      (['header', 'token'] as const).map(
        (auth) => [`with ${name} in ${auth}`, project.stream({ ...unrelated, api: api(project.api), auth })] as const,
      ),
    ),
    ['with a wrong key in both', project.stream({ ...unrelated, api: wrong, auth: 'both' })],
    ['with an empty token', project.stream({ ...unrelated, api: project.api.as(''), auth: 'token' })],
  ]
}

/** Checks that connections of strangers that resume after an event are refused or closed, and show no `known` event. */
export async function expectNoEventsForUnauthorized(
  { check, unique, missed }: Pick<ServiceContext, 'check' | 'unique' | 'missed'>,
  sandbox: Sandbox,
  { after, known, settled }: { after: string; known: readonly string[]; settled: () => Promise<void> },
): Promise<void> {
  const connections = unauthorizedStreams(sandbox.project, { unique, gone: [], after })
  const openings = await Promise.all(connections.map(([, stream]) => stream.opening))
  await settled()
  await expectRefused(connections, openings, { check, missed, sandbox, known })
}
