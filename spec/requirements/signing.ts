import { service } from './define.js'

const source = '#webhook-signature-standard-webhooks'

/** SIG: how the service signs a delivery. */
export const signing = {
  'SIG-001': service.must(source, '`webhook-id` is the event id.'),
  'SIG-002': service.must(source, '`webhook-timestamp` is the Unix seconds at which this attempt was signed.'),
  'SIG-003': service.must(
    source,
    '`webhook-signature` is one or more space-separated entries of the form `v1,<base64>`.',
  ),
  'SIG-004': service.must(
    source,
    'The signed string is `{webhook-id}.{webhook-timestamp}.{raw body}`; the signature is base64 of HMAC-SHA256 of it; the key is the base64-decoded part of the secret after `whsec_`.',
  ),
  'SIG-005': service.must(
    source,
    'Each attempt is signed at its own time: a retry carries the timestamp of the retry.',
  ),
  'SIG-006': service.must(source, 'A delivery is signed with the secret of its own webhook.'),
  'SIG-007': service.must(source, 'The signature is over the bytes as sent, whatever characters the event holds.'),
  'SIG-008': service.must(
    '#versioning',
    'The webhook signature scheme is version `v1`: at least one entry with this prefix equals the computed signature.',
  ),
} as const
