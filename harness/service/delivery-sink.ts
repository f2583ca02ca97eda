import { sinkCertificate } from '../sink/certificate.js'
import { listeningAs } from '../sink/listen-refused.js'
import { Sink } from '../sink/sink.js'
import { Canaries } from './canaries.js'
import type { Control } from './control.js'
import { addressOfUrl, isThisMachine, pairsOfUrl } from './reach.js'
import type { ServiceTarget } from './target.js'

/** Where deliveries reach this run, and the listeners that nothing may connect to. */
export interface DeliverySink {
  readonly sink: Sink
  /** The address of the sink, as a resolver would answer it. */
  readonly address: string
  /** The service trusts the certificate the sink shows for a name under the run's control. */
  readonly isNamed: boolean
  readonly canaries: Canaries | undefined
  /** The `address:port` pairs that may be delivered to, however private they are: that of the sink, and what the run had exempted. */
  readonly places: readonly string[]
}

/**
 * The sink where the configuration says; else on loopback, where the service can reach that and lets itself be told so.
 * Undefined where neither is so. `port` is taken where the configuration names none; 0 for any.
 */
export async function startDeliverySink(
  { receiver, dns, baseUrl }: ServiceTarget,
  control: Control | undefined,
  port: number,
): Promise<DeliverySink | undefined> {
  const egress = control?.offered.has('egress') === true ? control : undefined
  const names = dns === undefined ? [] : [`*.${dns.zone}`]
  const { host, port: configured, publicUrl } = receiver ?? { host: '127.0.0.1', port: 0, publicUrl: undefined }
  if (publicUrl === undefined && (egress === undefined || !(await isThisMachine(baseUrl)))) return undefined
  const place = publicUrl === undefined ? {} : { publicUrl, takesPlain: true }
  const at = { host, port: configured || port }
  const sink = await listeningAs('receiver.listen', at, () => Sink.start({ ...at, names, showsUnfit: true, ...place }))
  try {
    const address = publicUrl === undefined ? sink.host : ((await addressOfUrl(publicUrl)) ?? host)
    const isInZone = dns !== undefined && new URL(sink.publicUrl).hostname.endsWith(`.${dns.zone}`)
    const found = { sink, address, isNamed: egress !== undefined || isInZone }
    const own = await pairsOfUrl(sink.publicUrl)
    if (egress === undefined) return { ...found, canaries: undefined, places: own }
    return { ...found, ...(await openEgress({ control: egress, own, found, names })) }
  } catch (error) {
    await sink.close()
    throw error
  }
}

/** Lets the service deliver to the sink; resolves to what is allowed, and to listeners beside the sink, where it is on loopback. */
async function openEgress({
  control,
  own,
  found: { sink, address },
  names,
}: {
  readonly control: Control
  readonly own: readonly string[]
  readonly found: { readonly sink: Sink; readonly address: string }
  readonly names: readonly string[]
}): Promise<Pick<DeliverySink, 'canaries' | 'places'>> {
  const { ca } = await sinkCertificate(names)
  const pairs: string[] = []
  const allow = (more: readonly string[]) =>
    control.allowEgress([...pairs, ...more], ca).then(() => void pairs.push(...more))
  await allow(own)
  const canaries = address === '127.0.0.1' ? await Canaries.start(sink.port, allow) : undefined
  return { canaries, places: pairs }
}
