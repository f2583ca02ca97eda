// A service refuses urls that lead to private addresses, as it must. Where the configuration puts the sink at one, such a refusal
// says nothing against the service: it is found out once, before the first case.
import { BlockList, isIPv6 } from 'node:net'
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

/** Answers that speak of the key, or are a gateway's, and say nothing of the url. */
const ofOtherThings: readonly number[] = [401, 403, 404, 405, 408, 413, 414, 429, 431]

/**
 * Why no case can be delivered to at the sink: its address is private, and the service takes no webhook there. Undefined
 * where it takes one, which is deleted, and where the address is public: then a refusal is judged.
 */
export async function sinkRefusal(
  api: Api,
  { publicUrl, address }: { readonly publicUrl: string; readonly address: string },
): Promise<string | undefined> {
  if (!notPublic.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined
  const url = `${publicUrl.replace(/\/$/, '')}/x${runMark}x`
  const answer = await api.request('POST', '/v1/webhooks', { json: { url } })
  const { status = 0 } = answer
  const id = answer.field('id')
  if (typeof id === 'string') await api.deleteWebhook(id)
  const isRefused = status >= 400 && status < 500 && !ofOtherThings.includes(status)
  if (!isRefused) return undefined
  return `needs a sink at a public address: the service refuses ${new URL(publicUrl).host} (${status}), which is private, as it must; let receiver.public_url be the address of a tunnel or proxy that leads to receiver.listen`
}

/** Why a control interface that lets deliveries go to private addresses could not be told that of the sink: `places` are none. */
export function exemptionRefusal({
  publicUrl,
  places,
}: {
  readonly publicUrl: string
  readonly places: readonly string[]
}): string | undefined {
  if (places.length > 0) return undefined
  return `needs receiver.public_url to have an address: ${new URL(publicUrl).hostname} has none on this machine, so that the service could not be told to deliver there`
}
