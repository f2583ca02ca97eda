import { isIP } from 'node:net'
import { canonicalAddress } from './addresses.js'
import { ApiError } from '../api/api-error.js'
import type { Egress } from './egress.js'
import { parsedUrl } from '../parsed-url.js'
import type { Policy } from '../policy.js'

/** A url is parsed once, by the WHATWG parser; the same object is checked and connected to. */
export interface Target {
  readonly url: URL
  readonly port: number
  /** The host that is judged: an address, or a name to resolve. */
  readonly host: string
  readonly isAddress: boolean
}

/** The target of a url; undefined when it does not parse. */
export function targetOf(url: string, policy: Pick<Policy, 'judgedHost'>): Target | undefined {
  const parsed = parsedUrl(url)
  if (parsed === undefined) return undefined
  const judged = policy.judgedHost(url)
  if (judged === null) return undefined
  const bare = judged.replace(/^\[|\]$/g, '')
  return {
    url: parsed,
    port: Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80),
    host: canonicalAddress(bare) ?? bare,
    isAddress: isIP(bare) !== 0,
  }
}

/** Refuses a webhook url that must not be registered. Errors: `ApiError` with the code of `urlRefusal`. */
export async function checkUrl(url: string, options: { policy: Policy; egress: Egress }): Promise<void> {
  const { policy, egress } = options
  const refuse = (message: string): ApiError =>
    new ApiError({
      ...policy.urlRefusal,
      message,
      fix: 'Register a public https:// URL without user name and password.',
    })
  if (url.length > policy.maxUrlLength) throw refuse('The url is too long.')
  const target = targetOf(url, policy)
  if (target === undefined) throw refuse('The url cannot be parsed.')
  if (!policy.urlSchemes.includes(target.url.protocol)) throw refuse('The url is not an https:// URL.')
  if (target.url.hostname === '' || target.url.port === '0') throw refuse('The url has no host or no port.')
  if (target.url.username !== '' || target.url.password !== '') {
    throw refuse('The url holds a user name or password.')
  }
  if (target.isAddress) {
    if (policy.literalHosts === 'refuse' && !egress.isExempt(target.host, target.port)) {
      throw refuse('The host of the url is an address, not a name.')
    }
    if (egress.isRefused(target.host, target.port)) {
      throw refuse('The url leads to a private, loopback or reserved address.')
    }
    return
  }
  if (policy.isLocalName(target.host)) throw refuse('The url names a host that is not public.')
  if (!hasPublicForm(target.host)) throw refuse('The host of the url is not a DNS name.')
  if (policy.resolvesAtCreation && (await egress.resolvesToRefused(target))) {
    throw refuse('The host of the url has a private, loopback or reserved address.')
  }
}

/** Whether a name can be a DNS name: labels of 1 to 63 characters, 253 in all. */
function hasPublicForm(host: string): boolean {
  const labels = host.replace(/\.$/, '').split('.')
  return host.length <= 254 && labels.every((label) => label.length >= 1 && label.length <= 63)
}
