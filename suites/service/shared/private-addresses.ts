// Webhooks on names that lead to private addresses.
import { blockedPrivateAddress } from '../../../spec/index.js'
import { asText, mentions, type DeliveryItem, type Sandbox, type ServiceContext } from '../../../harness/authoring.js'

/** Returns a private address without an exemption: the sink of a run may be at one. */
export function privateAddress({ leadsToSink }: Pick<ServiceContext, 'leadsToSink'>): string {
  return leadsToSink('10.0.0.1') ? '10.0.0.2' : '10.0.0.1'
}

export function isBlocked(delivery: DeliveryItem): boolean {
  return delivery.status === 'failed' && mentions(delivery.raw, blockedPrivateAddress)
}

/** A delivery that is not blocked, its status and the missing reason before the record: that is long, and shown cut. */
export function outcomeOf({ status, raw }: DeliveryItem): string {
  const reason = mentions(raw, blockedPrivateAddress) ? '' : `, ${blockedPrivateAddress} in no field`
  return `${asText(status)}${reason}: ${JSON.stringify(raw)}`
}

/** A webhook on a name that leads to the sink, and the name. */
export async function namedWebhook({ name, sinkAddress }: ServiceContext, sandbox: Sandbox) {
  const target = await name()
  await target.answer([sinkAddress])
  const webhook = await sandbox.project.createWebhook({ hostname: target.host, eventTypes: ['message.received'] })
  return { target, webhook }
}
