import {
  createdAtMember,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
  type EventMember,
} from '../../server/index.js'
import { defineMutant, patchesOfServer } from '../define.js'
import { tells } from './cells-of-items.js'

const numbersMember: EventMember = {
  name: 'data',
  json: (event) => event.dataJson.replace(/:"(\d+)"/g, (_, digits) => `:${Number(digits)}`),
}

/** The subjects of events are read by `words`, an expression over `subject`. */
const reads = (words: string) =>
  tells(`(typeof data.subject === 'string' ? { ...data, subject: ((subject) => ${words})(data.subject) } : data)`)

/** Deviations that show by what stands in a text. */
export const wordCellMutants = [
  ...patchesOfServer([
    [
      'decodes-percents-in-subjects',
      'what looks percent-encoded in the subjects of events is decoded',
      ['EVT-003', 'EVT-004'],
      reads('subject.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))'),
    ],
    [
      'takes-backslashes-out-of-subjects',
      'backslashes are taken out of the subjects of events, as if they had been escaped',
      ['EVT-003', 'EVT-004'],
      reads(String.raw`subject.replace(/\\(.)/g, '$1')`),
    ],
    [
      'decodes-entities-in-subjects',
      'entities of HTML in the subjects of events are decoded',
      ['EVT-003', 'EVT-004'],
      reads("subject.replaceAll('&amp;', '&')"),
    ],
  ]),
  defineMutant({
    id: 'server/sends-texts-of-digits-as-numbers',
    title: 'texts of digits are numbers in what is sent to webhooks alone',
    breaks: ['EVT-014'],
    policy: { bodyMembers: [idMember, typeMember, timestampMember, numbersMember] },
  }),
  defineMutant({
    id: 'server/polls-texts-of-digits-as-numbers',
    title: 'texts of digits are numbers in the list alone',
    breaks: ['EVT-014'],
    policy: { pollMembers: [idMember, typeMember, orgMember, createdAtMember, numbersMember] },
  }),
]
