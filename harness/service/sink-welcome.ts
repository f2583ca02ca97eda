// A service refuses URLs that lead to private addresses, as it must. If the configuration puts the sink at one, such a refusal proves
// nothing against the service: it is detected once, before the first case.
import { BlockList, isIP, isIPv6 } from 'node:net'
import { bareHost } from '../wire/url.js'
import { runMark } from '../run-mark.js'
import type { Api } from './api.js'

const notPublic = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  notPublic.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6')

/** Statuses about the key, or a gateway's, and not about the URL. */
const ofOtherThings: readonly number[] = [401, 403, 404, 405, 408, 413, 414, 429, 431]

/** A configured sink, as the service sees it. */
export interface SinkPlace {
  readonly publicUrl: string
  /** What the host of the url leads to. */
  readonly address: string
  /** The `address:port` pairs that the control interface exempted. */
  readonly places: readonly string[]
}

/**
 * Why no case can be delivered to at a configured sink; undefined where one can, and where a refusal is judged. `isExempted`: a control
 * interface exempted its addresses; `ask` puts a question in some org, where there is one.
 */
export async function findSinkProblem(
  { publicUrl, address, places }: SinkPlace,
  isExempted: boolean,
  send: (question: (api: Api) => Promise<string | undefined>) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { hostname } = new URL(publicUrl)
  if (isExempted && places.length === 0)
    return `needs receiver.public_url to have an address: ${hostname} has none on this machine, so the service cannot deliver there`
  // An exempted address is accepted; a name may be refused for itself.
  if (isExempted && isIP(bareHost(hostname)) !== 0) return undefined
  return send((api) => sinkRefusal(api, { publicUrl, address, isExempted }))
}

/**
 * Returns why a service refuses webhooks at a private address. Undefined if it accepts one, which is deleted, and if the address is public:
 * then the cases judge the refusal.
 */
export async function sinkRefusal(
  api: Api,
  at: { readonly publicUrl: string; readonly address: string; readonly isExempted?: boolean },
): Promise<string | undefined> {
  const { publicUrl, address, isExempted = false } = at
  if (!notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined
  const url = `${publicUrl.replace(/\/$/, '')}/x${runMark}x`
  const answer = await api.request('POST', '/v1/webhooks', { json: { url } })
  const { status = 0 } = answer
  const id = answer.field('id')
  if (typeof id === 'string') await api.deleteWebhook(id)
  const isRefused = status >= 400 && status < 500 && !ofOtherThings.includes(status)
  if (!isRefused) return undefined
  const { host } = new URL(publicUrl)
  return isExempted
    ? `needs a sink under another host: the service refuses ${host} (${status}), though its control interface exempts ${address}; use that address in receiver.public_url instead of the name`
    : `needs a sink at a public address: the service refuses ${host} (${status}), which is private, as it must; let receiver.public_url be the address of a tunnel or proxy that leads to receiver.listen`
}
