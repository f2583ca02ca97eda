// The names that the mutants of the service use in the entries of a policy that they replace, next to `policy`, the reference's own.
import type { EventMember, Policy } from '../../../reference/server/index.js'
import {
  createdAtMember,
  defaultPolicy,
  idMember,
  orgMember,
  timestampMember,
  typeMember,
} from '../../../reference/server/index.js'
import { retryDelaysMs } from '../../../spec/index.js'

export { createHmac, randomBytes, randomUUID } from 'node:crypto'
export { STATUS_CODES } from 'node:http'
export { dataMember } from '../../../reference/server/index.js'
export { createdAtMember, idMember, orgMember, retryDelaysMs, timestampMember, typeMember }

/** The schedule with the delay before one attempt replaced. */
export function delay(attempt: number, ms: number): Partial<Policy> {
  return { retryDelaysMs: retryDelaysMs.map((delayMs, index) => (index === attempt - 1 ? ms : delayMs)) }
}

/** The table of addresses with a hole. */
export function allowing(pattern: RegExp): Partial<Policy> {
  return { isRefusedAddress: (address) => !pattern.test(address) && defaultPolicy.isRefusedAddress(address) }
}

/** The host as a careless pattern reads it, without parsing the url. */
export function hostByPattern(url: string): string | null {
  return (
    /^https:\/\/(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/i.exec(url)?.[1] ?? (URL.canParse(url) ? new URL(url).hostname : null)
  )
}

/** Judges the answers of one family alone, where there are any, and tries those of the other first. */
export function judgingOnly(isJudged: (address: string) => boolean): Partial<Policy> {
  return {
    judgeAnswers: (addresses, isRefused) => {
      const own = addresses.filter(isJudged)
      const refused = (own.length === 0 ? addresses : own).find(isRefused)
      return refused === undefined
        ? { kind: 'connect', addresses: [...addresses.filter((address) => !isJudged(address)), ...own] }
        : { kind: 'blocked', address: refused }
    },
  }
}

/** Answers that are not judged are never refused, alone or among others. */
export function judgingAnswers(isJudged: (address: string) => boolean): Partial<Policy> {
  return {
    judgeAnswers: (addresses, isRefused) => {
      const refused = addresses.find((address) => isJudged(address) && isRefused(address))
      return refused === undefined ? { kind: 'connect', addresses } : { kind: 'blocked', address: refused }
    },
  }
}

/** Data of one type without a field. */
export function dataWithout(type: string, field: string): Partial<Policy> {
  return {
    eventData: (raised, data) =>
      raised === type ? Object.fromEntries(Object.entries(data).filter(([name]) => name !== field)) : data,
  }
}

/** `data` of an event with its subject cut to what a column of 255 letters holds. */
export const shortSubjectMember: EventMember = {
  name: 'data',
  json: (event) =>
    JSON.stringify(JSON.parse(event.dataJson), (name, value: unknown) =>
      name === 'subject' && typeof value === 'string' ? value.slice(0, 255) : value,
    ),
}

export const readData = (read: (json: string) => string): EventMember => ({
  name: 'data',
  json: (event) => read(event.dataJson),
})
export const numbersMember = readData((json) => json.replace(/:"(\d+)"/g, (_, digits) => `:${Number(digits)}`))

/** Changes only the deliveries to webhooks. */
export const sends = (read: (json: string) => string) => ({
  bodyMembers: [idMember, typeMember, timestampMember, readData(read)],
})
/** Changes only the list. */
export const polls = (read: (json: string) => string) => ({
  pollMembers: [idMember, typeMember, orgMember, createdAtMember, readData(read)],
})
export const timesWithOffset = /"(\d{4}-\d\d-\d\dT[^"]*[+-]\d\d:\d\d)"/g

/** Ids from a counter of the server's own, from 1. */
export function counter(name: (number: number) => string): () => string {
  let number = 0
  return () => name(++number)
}
