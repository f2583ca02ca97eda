// The packages of docs/libraries.md: what the npm registry has for this signature scheme, and how each is called.

/** One package. */
export interface Library {
  readonly name: string
  /** The called function. */
  readonly call: string
  /** What it is given of a body: its bytes, or the text that a handler reads. */
  readonly takes: 'bytes' | 'text'
  readonly headerNames?: 'svix'
  /** A note for the reader. */
  readonly note?: string
}

export const libraries: readonly Library[] = [
  { name: 'standardwebhooks', call: 'new Webhook(secret).verify(body, headers)', takes: 'bytes' },
  {
    name: 'svix',
    call: 'new Webhook(secret).verify(body, headers)',
    takes: 'bytes',
    note: 'As documented, it also accepts headers with the names `svix-*` (VFY-025).',
  },
  { name: 'openai', call: 'client.webhooks.verifySignature(body, headers, secret)', takes: 'text' },
  { name: '@anthropic-ai/sdk', call: 'client.beta.webhooks.unwrap(body, { headers, key })', takes: 'text' },
  {
    name: '@clerk/backend',
    call: 'verifyWebhook(request, { signingSecret })',
    takes: 'text',
    headerNames: 'svix',
    note: 'It reads the headers only by the names `svix-*`, and was tested with these.',
  },
  {
    name: '@polar-sh/sdk',
    call: "webhooks.validateEvent(body, headers, secret) of '@polar-sh/sdk/2026-10'",
    takes: 'bytes',
    note: 'It verifies an event that is not of Polar, then throws: that counts as accepted.',
  },
  { name: 'resend', call: 'resend.webhooks.verify({ payload, headers, webhookSecret })', takes: 'text' },
  { name: 'replicate', call: 'validateWebhook(request, secret)', takes: 'text' },
  { name: 'dodopayments', call: 'client.webhooks.unwrap(body, { headers, key })', takes: 'text' },
  { name: 'lithic', call: 'client.webhooks.verifySignature(body, headers, secret)', takes: 'text' },
  { name: '@whop/sdk', call: 'client.webhooks.unwrap(body, { headers, key })', takes: 'text' },
]
