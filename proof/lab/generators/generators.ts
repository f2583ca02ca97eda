// The client generators of the campaign, as their documentation shows them without options of taste.

/** A generator, and the program of a client author who uses its output. */
export interface Generator {
  readonly name: string
  /** What `npm install` needs. */
  readonly packages: readonly string[]
  /** Returns the command that writes the client of `document` into `folder`; `url` is the address of the service. */
  command(document: string, folder: string, url: string): readonly [command: string, ...args: string[]]
  /**
   * TypeScript that sends `message` to `url` with `headers` and passes the status and the id of the answer to `answer`, all four
   * declared before it. The file is next to the generated ones.
   */
  readonly program: string
}

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript', 'openapi-fetch'],
    command: (document, folder) => ['openapi-typescript', document, '--output', `${folder}/api.ts`],
    program: `import createClient from 'openapi-fetch'
import type { components, paths } from './api'

const email: components['schemas']['EmailRequest'] = message
const { data, response } = await createClient<paths>({ baseUrl: url, headers }).POST('/v1/emails', { body: email })
const sent: components['schemas']['SentEmail'] | undefined = data
answer(response.status, sent?.id)
`,
  },
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts'],
    command: (document, folder) => ['openapi-ts', '--input', document, '--output', folder],
    program: `import { client } from './client.gen'
import { sendEmail } from './sdk.gen'
import type { EmailRequest, SentEmail } from './types.gen'

client.setConfig({ baseUrl: url, headers })
const email: EmailRequest = message
const { data, response } = await sendEmail({ body: email })
const sent: SentEmail | undefined = data
answer(response?.status, sent?.id)
`,
  },
  {
    name: 'orval',
    packages: ['orval'],
    command: (document, folder) => ['orval', '--input', document, '--output', `${folder}/api.ts`, '--client', 'fetch'],
    program: `import { sendEmail, type EmailRequest, type SentEmail } from './api'

const relative = globalThis.fetch
globalThis.fetch = (path, init) => relative(new URL(String(path), url), init)
const email: EmailRequest = message
const answered = await sendEmail(email, { headers })
const sent: SentEmail | undefined = answered.status === 200 ? answered.data : undefined
answer(answered.status, sent?.id)
`,
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api'],
    command: (document, folder) => [
      'swagger-typescript-api',
      'generate',
      '--path',
      document,
      '--output',
      folder,
      '--name',
      'api.ts',
    ],
    program: `import { Api, type EmailRequest, type SentEmail } from './api'

const email: EmailRequest = message
const { status, data } = await new Api({ baseUrl: url, baseApiParams: { headers } }).v1.sendEmail(email)
const sent: SentEmail = data
answer(status, sent.id)
`,
  },
]
