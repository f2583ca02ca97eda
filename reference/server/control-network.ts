// The parts of the control interface that speak of the network: names and egress.
import { X509Certificate } from 'node:crypto'
import { invalidRequest } from './api/api-error.js'
import { reply } from './api/http.js'
import { canonicalAddress } from './egress/addresses.js'
import { maxAuthorities, maxExemptions } from './egress/egress.js'
import { maxNames, type AnswerLists } from './egress/resolver.js'
import type { Services } from './services.js'

type Fields = Readonly<Record<string, unknown>>

/** A name of DNS has 253 characters and perhaps a final dot. */
const maxHostLength = 254
const maxLists = 100
const maxAddresses = 1_000

/** `POST /dns`: what lookups of a host are answered with. */
export function setAnswers({ host, answers }: Fields, { resolver, settings }: Services): Response {
  if (typeof host !== 'string' || host === '') throw invalidRequest('host is missing.', 'Send host as a name.')
  if (!Array.isArray(answers) || answers.length === 0) {
    throw invalidRequest('answers is not a list of lists.', 'Send answers as a list of lists of addresses.')
  }
  if (host.length > maxHostLength || answers.length > maxLists || answers.flat().length > maxAddresses) {
    const most = `${maxLists} lists and ${maxAddresses} addresses`
    throw invalidRequest('host or answers is too long.', `Send a name of DNS, with at most ${most}.`)
  }
  const lists = answers.map((list: unknown) => {
    const addresses = Array.isArray(list) ? list.map((item) => addressOf(item)) : [undefined]
    if (addresses.includes(undefined)) {
      throw invalidRequest('answers holds something that is not an address.', 'Send IPv4 and IPv6 addresses.')
    }
    return addresses.filter((item) => item !== undefined)
  })
  resolver.setAnswers(host, lists)
  const { [host]: _, ...others } = (settings.read('dns') ?? {}) as Record<string, AnswerLists>
  settings.write('dns', Object.fromEntries([...Object.entries(others), [host, lists] as const].slice(-maxNames)))
  return reply({ status: 204 })
}

/** `POST /egress`: addresses that are exempted from refusal, and an authority that is trusted. */
export function allowEgress({ allow = [], ca }: Fields, { egress, settings }: Services): Response {
  if (!Array.isArray(allow)) throw invalidRequest('allow is not a list.', 'Send allow as a list of address:port.')
  const pairs = allow.map((item: unknown) => pairOf(item))
  if (ca !== undefined && ca !== null && !isCertificate(ca)) {
    throw invalidRequest('ca is not a certificate.', 'Send ca as PEM text.')
  }
  const authority = typeof ca === 'string' ? ca : undefined
  egress.allow(pairs, authority)
  const known = settings.read('egress') as { allow: string[]; ca: string[] } | undefined
  settings.write('egress', {
    allow: newest(known?.allow ?? [], pairs, maxExemptions),
    ca: newest(known?.ca ?? [], authority === undefined ? [] : [authority], maxAuthorities),
  })
  return reply({ status: 204 })
}

/** Old and added entries, each once, the last `size` of them. */
function newest(known: readonly string[], added: readonly string[], size: number): string[] {
  return [...known.filter((old) => !added.includes(old)), ...new Set(added)].slice(-size)
}

function addressOf(item: unknown): string | undefined {
  return typeof item === 'string' ? canonicalAddress(item) : undefined
}

/** `127.0.0.1:8443` or `[::1]:8443` in canonical spelling. Errors: `ApiError` 400. */
function pairOf(item: unknown): string {
  const [, host = '', port = ''] = /^\[?([^[\]]+)\]?:(\d{1,5})$/.exec(typeof item === 'string' ? item : '') ?? []
  const address = canonicalAddress(host)
  if (address === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw invalidRequest('allow holds something that is not address:port.', 'Send e.g. 127.0.0.1:8443 or [::1]:8443.')
  }
  return address.includes(':') ? `[${address}]:${Number(port)}` : `${address}:${Number(port)}`
}

function isCertificate(pem: unknown): pem is string {
  if (typeof pem !== 'string' || !pem.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    void new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}
