import { createdAtMember, dataMember, idMember, typeMember } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in the stream. */
export const streamMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/streams-without-timestamp',
    title: 'frames have no timestamp',
    breaks: ['STR-003'],
    policy: {
      frameMembers: [idMember, typeMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/streams-created-at',
    title: 'frames have created_at instead of timestamp',
    breaks: ['STR-003'],
    policy: {
      frameMembers: [idMember, typeMember, createdAtMember, dataMember],
    },
  }),
  defineMutant({
    id: 'server/streams-elsewhere',
    title: 'the stream is at another path',
    breaks: ['STR-001'],
    policy: { streamPath: '/events/stream' },
  }),
]
