// What can be wrong with a credential.

import { asText, type Api, type Project, type Sandbox, type ServiceContext } from '../../../harness/authoring.js'
import { rareEvent } from './registration.js'

export interface Fault {
  readonly name: string
  readonly requirement: 'AUTH-002' | 'AUTH-003'
  /** The API with this credential. */
  readonly api: (api: Api) => Api
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses of its refusal. */
  readonly refusals: readonly number[]
}

/** What a bearer credential is made of (RFC 6750, 2.1). */
const bearerForm = /^bearer +[\w.~+/-]+=* *$/i

/** Statuses of a refusal because of the credential; a malformed bearer token is a bad request too (RFC 6750, 3.1). */
export function refusalsOf(authorization: string | undefined): readonly number[] {
  return authorization === undefined || bearerForm.test(authorization) ? [401, 403] : [400, 401, 403]
}

/** Faults of a key that a service has only to compare; `gone` are keys that existed once. */
export function faultsOf(key: string, unique: () => string, gone: readonly string[] = []): readonly Fault[] {
  const none = { requirement: 'AUTH-002', api: (api: Api) => api.as(undefined) } as const
  return [
    { name: 'no credential', ...none, refusals: refusalsOf(undefined) },
    {
      name: 'an empty credential',
      ...none,
      headers: { authorization: 'Bearer' },
      refusals: refusalsOf('Bearer'),
    },
    wrong('a key that never was', `key_${unique()}`),
    wrong('the key without its last letter', key.slice(0, -1)),
    wrong('the key without its first letter', key.slice(1)),
    wrong('the key with another last letter', withOther(key, key.replace(/=+$/, '').length - 1)),
    wrong('the key with another letter in its middle', withOther(key, Math.floor(key.length / 2))),
    wrong('the key with a letter more', `${key}x`),
    wrong('the key with a letter before it', `x${key}`),
    wrong('the key in another case', swapCase(key)),
    ...gone.map((key) => wrong('a key of a workspace that was deleted', key)),
  ]
}

function wrong(name: string, text: string): Fault {
  return { name, requirement: 'AUTH-003', api: (api) => api.as(text), refusals: refusalsOf(`Bearer ${text}`) }
}

/** Returns texts from the service other than keys: the secret of a webhook created for this, and public values. */
export async function otherTexts(
  { cleanup, publicUrl, require }: ServiceContext,
  { api, orgId, domain, inboxes }: Project,
): Promise<readonly Fault[]> {
  const created = await api.createWebhook({ url: publicUrl(), event_types: [rareEvent] })
  require.of('WHK-001').status(created, '2xx')
  const [webhookId, secret] = [asText(created.field('id')), asText(created.field('secret'))]
  cleanup(async () => void (await api.deleteWebhook(webhookId)))
  const texts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['the secret of a webhook', secret],
    ['the secret of a webhook without its prefix', secret.replace(/^whsec_/, '')],
    ['the id of a webhook', webhookId],
    ['the id of the org', orgId],
    ['the domain of the org', domain],
    ['the id of an inbox', inboxes[0]?.id],
    ['the address of an inbox', inboxes[0]?.address],
  ]
  return texts.flatMap(([name, text]) => (text === undefined ? [] : [wrong(name, text)]))
}

/** Keys of the org and of an inbox of a workspace that is dropped at once, where there are workspaces. */
export async function deletedKeys(context: ServiceContext, sandbox: Sandbox): Promise<readonly string[]> {
  if (!sandbox.isIsolated) return []
  const other = await context.openSandbox()
  const keys = [other.project.api, ...other.project.inboxes.slice(0, 1).map(({ api }) => api)].map(({ key }) => key)
  await other.drop()
  return keys.filter((key) => key !== undefined)
}

/**
 * The key with another letter or digit at a place, one that differs in the highest bits where both are base64: of the last letter of
 * a text the lowest are not looked at, so that the key with a neighbour there is the key.
 */
function withOther(key: string, at: number): string {
  const [usual, other] = /[0-9]/.test(key[at] ?? '') ? ['4', '0'] : ['k', 'A']
  const isNear = /[4-7g-vK]/.test(key[at] ?? '')
  return key.slice(0, at) + (isNear ? other : usual) + key.slice(at + 1)
}

/** The key with the case of its last letter changed; keys without a letter get one. */
function swapCase(key: string): string {
  const at = key.search(/[a-zA-Z][^a-zA-Z]*$/)
  const letter = key[at]
  if (letter === undefined) return `${key}a`
  const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return key.slice(0, at) + swapped + key.slice(at + 1)
}
