// The fixtures that `harness/schemes` loads, bundled: a browser has no files.
import standardWebhooks from '../../fixtures/schemes/standard-webhooks.json' with { type: 'json' }
import svix from '../../fixtures/schemes/svix.json' with { type: 'json' }

const schemes = { 'standard-webhooks': standardWebhooks, svix } as const

export function loadScheme(name: keyof typeof schemes): object {
  return schemes[name]
}
