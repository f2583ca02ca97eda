import { Sink, sinkCertificate, status, type Answer, type Endpoint } from '../../harness/webhook-sink.js'
import { isLoopback } from '../../harness/loopback.js'

/** Where deliveries of the checked service go: a listener of this program on loopback. */
export interface DeliveryPlace {
  /** Its `address:port`, in the form of `POST /egress`. */
  readonly pair: string
  /** PEM of the authority of its certificate, which holds for names under `conformance.test` too. */
  readonly ca: string
  /** A new path; attempts are answered with the first answer, then the second, and so on. With a name its URL has this one. */
  endpoint(answers?: readonly [Answer, ...Answer[]], host?: string): Endpoint
  close(): Promise<void>
}

/** Opens such a place, where the service can reach it: on this machine. */
export async function openPlace(baseUrl: string | undefined): Promise<DeliveryPlace | undefined> {
  if (baseUrl === undefined || !isLoopback(new URL(baseUrl).hostname)) return undefined
  const [sink, { ca }] = await Promise.all([Sink.start({ host: '127.0.0.1', port: 0 }), sinkCertificate()])
  let count = 0
  return {
    pair: `127.0.0.1:${sink.port}`,
    ca,
    endpoint(answers = [status(200)], host) {
      const endpoint = sink.endpoint(`check-${++count}`, host)
      endpoint.script(...answers)
      return endpoint
    },
    close: () => sink.close(),
  }
}
