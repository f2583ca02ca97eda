import { shellLines } from '../../harness/reporters/curl.js'
import type { ExchangeRecord } from '../../harness/result.js'

/** A command that sends a delivery again; undefined for one that no shell line can send. */
export function curlOf(request: ExchangeRecord['request']): string | undefined {
  return shellLines({ direction: 'sent', kind: 'receiver', request, started_at: '', duration_ms: 0 }).resend
}
