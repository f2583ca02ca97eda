/** The org and the inbox, if any, that a key is limited to or a record belongs to. */
export interface Owner {
  readonly orgId: string
  readonly inboxId: string | null
}

/** Who may call, and what a key sees. */
export interface AccessPolicy {
  /** Every path of the API begins with it. Source: VER-001. */
  readonly pathPrefix: string
  /** The key of an API request, read from its `Authorization` header. Source: AUTH-001. */
  readonly credentialOf: (authorization: string | undefined) => string | undefined
  /** The key of a stream: header or `token`. Source: AUTH-004, AUTH-005. */
  readonly streamCredentialOf: (request: {
    readonly authorization: string | undefined
    readonly token: string | undefined
  }) => string | undefined
  /** Status of a request without a valid key; open point `auth-status`: 401 or 403. */
  readonly authStatus: number
  /** How a stream without a valid key is refused; open point `stream-refusal`. */
  readonly streamRefusal: 'refuse-upgrade' | 'close-after-upgrade'
  /** Whether a key with `permissions: sending` may make this request. Source: AUTH-008. */
  readonly sendingKeyMay: (method: string, path: string) => boolean
  /** Inbox whose events a key sees when it polls; null is every inbox of the org. Source: SCOPE-001, SCOPE-008, SCOPE-010. */
  readonly pollInbox: (keyInboxId: string | null) => string | null
  /** The same for the stream. Source: SCOPE-002, SCOPE-009, SCOPE-010. */
  readonly streamInbox: (keyInboxId: string | null) => string | null
  /** Inbox of a webhook, from the key's inbox and the requested one. Source: SCOPE-003, SCOPE-004. */
  readonly webhookInbox: (keyInboxId: string | null, asked: string | null) => string | null
  /** Whether a key limited to one inbox that requests another is refused; open point `foreign-inbox`. */
  readonly foreignInbox: 'own-inbox' | 'refuse'
  /** Whether a key reaches a webhook or email whose id it names. Source: SCOPE-007. */
  readonly keyReaches: (key: Owner, record: Owner) => boolean
}

export const accessPolicy: AccessPolicy = {
  pathPrefix: '/v1',
  credentialOf: (authorization) => /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1],
  streamCredentialOf: ({ authorization, token }) => /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? token,
  authStatus: 401,
  streamRefusal: 'refuse-upgrade',
  sendingKeyMay: (method, path) =>
    path === '/emails' || path.startsWith('/emails/') || (method === 'GET' && path === ''),
  pollInbox: (keyInboxId) => keyInboxId,
  streamInbox: (keyInboxId) => keyInboxId,
  webhookInbox: (keyInboxId, asked) => keyInboxId ?? asked,
  foreignInbox: 'own-inbox',
  keyReaches: (key, record) => key.orgId === record.orgId && (key.inboxId === null || key.inboxId === record.inboxId),
}
