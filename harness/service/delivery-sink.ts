import { sinkCertificate, testZone } from '../sink/certificate.js'
import { listeningAs } from '../sink/listen-refused.js'
import { Sink } from '../sink/sink.js'
import { bareHost } from '../wire/url.js'
import { Canaries } from './canaries.js'
import type { Control } from './control.js'
import { addressesOfUrl, isOneOf, isThisMachine, pairOf, portOfUrl } from './service-address.js'
import { showsCertificate } from './shown-certificate.js'
import type { ServiceTarget } from './target.js'

/** Where deliveries reach this run, and the listeners that nothing may connect to. */
export interface DeliverySink {
  readonly sink: Sink
  /** The address of the sink, as a resolver would answer it. */
  readonly address: string
  /** The service trusts the certificate that is shown for a name under the run's control. */
  readonly isNamed: boolean
  readonly canaries: Canaries | undefined
  /** The `address:port` pairs that may be delivered to, however private they are: that of the sink, and what the run had exempted. */
  readonly places: readonly string[]
}

/**
 * Starts the sink at the configured place; else on loopback, if the service can reach that and the control interface can exempt it.
 * Undefined if neither is possible. `port` applies if the configuration names none; 0 for any.
 */
export async function startDeliverySink(
  target: ServiceTarget,
  control: Control | undefined,
  port: number,
): Promise<DeliverySink | undefined> {
  const { receiver, dns, baseUrl } = target
  const egress = control?.offered.has('egress') === true ? control : undefined
  const { host, port: configured, publicUrl } = receiver ?? { host: '127.0.0.1', port: 0, publicUrl: undefined }
  if (publicUrl === undefined && (egress === undefined || !(await isThisMachine(baseUrl)))) return undefined
  const place = publicUrl === undefined ? {} : { publicUrl, takesPlain: true }
  const at = { host, port: configured || port }
  const names = namesOf(target)
  const sink = await listeningAs('receiver.listen', at, () => Sink.start({ ...at, names, showsUnfit: true, ...place }))
  try {
    const url = new URL(sink.publicUrl)
    const isInZone = dns !== undefined && url.hostname.endsWith(`.${dns.zone}`)
    const found = await addressesOfUrl(url.href)
    // A name of the zone has no address before this run answers for it.
    const addresses = found.length === 0 && isInZone ? [host] : found
    const [address = host] = addresses
    const own = addresses.map((ip) => pairOf(ip, portOfUrl(url)))
    const { ca, cert } = await sinkCertificate(names)
    const shows = (name: string) => showsCertificate({ host: address, port: portOfUrl(url) }, name, cert)
    sink.isBehindGateway = publicUrl !== undefined && !(await shows(url.hostname))
    if (egress === undefined) return { sink, address, isNamed: isInZone, canaries: undefined, places: own }
    const places: string[] = []
    const allow = (more: readonly string[]) =>
      egress.allowEgress([...places, ...more], ca).then(() => void places.push(...more))
    await allow(own)
    const canaries = addresses[0] === '127.0.0.1' ? await Canaries.start(portOfUrl(url), allow) : undefined
    const isNamed = publicUrl === undefined || (egress.offered.has('dns') ? await shows(`named.${testZone}`) : isInZone)
    return { sink, address, isNamed, canaries, places }
  } catch (error) {
    await sink.close()
    throw error
  }
}

/** Returns the other names on the sink's certificate: every name of the zone, and the host of the webhooks' URLs. */
function namesOf({ receiver, dns }: ServiceTarget): readonly string[] {
  const zone = dns === undefined ? [] : [`*.${dns.zone}`]
  return receiver === undefined ? zone : [...zone, bareHost(new URL(receiver.publicUrl).hostname)]
}

/** Whether an address, at the port of the sink, is one that may be delivered to. */
export function mayDeliverTo({ sink, places }: Pick<DeliverySink, 'sink' | 'places'>, address: string): boolean {
  return isOneOf(places, `https://${pairOf(address, portOfUrl(new URL(sink.publicUrl)))}/`)
}
