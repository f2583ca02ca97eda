// Checks of the catalogue of forgeries for a client.

import type { CallResult, Checks, ClientContext } from '../../../harness/authoring.js'
import { forgeriesOf, reasonToSkip, type ForgeryGroup } from '../../shared/forgeries/index.js'
import { kindOf, signature, type VerificationWay, type Verify } from './signed-deliveries.js'

/** An entry that has the form of a signature and matches nothing. */
const wrongEntry = `v1,${Buffer.alloc(32, 6).toString('base64')}`

/** Checks the decision on each forgery of a group: alone, and with a refused entry after a wrong one. */
export async function checkForgeries(
  { check, delivery }: ClientContext,
  verify: Verify,
  { group, requirement }: { readonly group: ForgeryGroup; readonly requirement: VerificationWay['requirement'] },
): Promise<void> {
  const usable = forgeriesOf(group, { isDense: true }).filter(
    (forgery) => forgery.expected !== 'either' && reasonToSkip(forgery, delivery(0).scheme) === undefined,
  )
  for (const { title, expected, make } of usable) {
    const forged = make(delivery(Math.floor(Date.now() / 1_000)))
    if (forged === undefined) continue
    const { headers, fields } = forged
    const sent = { headers, payload: fields.body, secret: fields.secret }
    const due = expected === 'accepted' ? 'value' : 'error'
    const result = await verify(sent)
    check.equal(`result of ${title}`, kindOf(result), due)
    checkRefusal(check.of(requirement === 'CLI-048' ? 'CLI-050' : 'CLI-051'), result)
    const entries = `${wrongEntry} ${headers[signature] ?? ''}`
    const besideWrong = await verify({ ...sent, headers: { ...headers, [signature]: entries } })
    check.equal(`result of ${title}, with a wrong entry before`, kindOf(besideWrong), due)
  }
}

/** Checks that a refusal has a code and a message. */
export function checkRefusal(check: Pick<Checks, 'ok'>, result: CallResult): void {
  if (result.kind !== 'error') return
  for (const name of ['code', 'message'] as const) {
    const value = result.error[name]
    check.ok(`${name} of the error`, typeof value === 'string' && value !== '', 'a string', value)
  }
}
