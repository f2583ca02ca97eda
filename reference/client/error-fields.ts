/** The fields of an error body; absent ones are undefined. */
export interface ErrorFields {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly fix?: string | undefined
  readonly errors?: readonly unknown[] | undefined
}

/**
 * Reads an error body, with the fields at the top level or under `error`; the wire shape is not shown. Any other body, such as HTML of a
 * gateway, has no fields.
 */
export function readErrorFields(body: unknown): ErrorFields {
  const outer = asRecord(body)
  const inner = asRecord(outer['error'])
  const field = (name: string) => inner[name] ?? outer[name]
  const text = (name: string) => {
    const value = field(name)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const errors = field('errors')
  const message = text('message') ?? text('error')
  return { code: text('code'), message, fix: text('fix'), errors: Array.isArray(errors) ? errors : undefined }
}

/** Defaults for fields that an error body lacks. `request` is method and path. */
export function fallbackFields(status: number, request: string): { code: string; message: string; fix: string } {
  return { code: `http_${status}`, message: `The API answered ${status} to ${request}.`, fix: fallbackFix(status) }
}

function fallbackFix(status: number): string {
  if (status === 401) return 'Check the API key.'
  if (status === 429) return 'Send fewer requests, or wait before the next one.'
  if (status >= 500) return 'Try again later.'
  if (status >= 300 && status < 400) return 'Set baseUrl to the address that the API itself answers at.'
  return 'Check the request against the documentation of the API, and baseUrl.'
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
