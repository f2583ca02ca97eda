import type { EventMember, EventRecord } from './records.js'

export const idMember: EventMember = { name: 'id', json: (event) => JSON.stringify(event.id) }
export const typeMember: EventMember = { name: 'type', json: (event) => JSON.stringify(event.type) }
export const orgMember: EventMember = { name: 'org_id', json: (event) => JSON.stringify(event.orgId) }
export const timestampMember: EventMember = { name: 'timestamp', json: (event) => JSON.stringify(event.time) }
export const createdAtMember: EventMember = { name: 'created_at', json: (event) => JSON.stringify(event.time) }
export const dataMember: EventMember = { name: 'data', json: (event) => event.dataJson }

/** Turns a member list into a function from event to JSON text. */
export function serializer(members: readonly EventMember[]): (event: EventRecord) => string {
  const parts = members.map((member, index) => ({
    before: `${index === 0 ? '{' : ','}${JSON.stringify(member.name)}:`,
    json: member.json,
  }))
  if (parts.length === 0) return () => '{}'
  return (event) => {
    let text = ''
    for (const part of parts) text += part.before + part.json(event)
    return text + '}'
  }
}
