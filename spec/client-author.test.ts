// The document is for client authors: the types that openapi-typescript generates from it must accept correct programs and reject wrong
// ones.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openapiDocument } from './generated/documents.js'

const folder = mkdtempSync(join(tmpdir(), 'client-author-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The types of this repository, and those that a client author gets: `npx openapi-typescript openapi.yaml`, no option. */
const ours = join(import.meta.dirname, 'generated/api.ts')
const plain = join(folder, 'api.ts')
beforeAll(async () => {
  const document = parse(readFileSync(join(import.meta.dirname, 'openapi.yaml'), 'utf8')) as never
  writeFileSync(plain, astToString(await openapiTS(document)))
})

/** Returns the compiler's errors for a small program of a client author. */
function complaintsOf(program: string, types: string): string[] {
  const file = join(folder, 'program.ts')
  writeFileSync(file, `import type { components, operations } from ${JSON.stringify(types)}\n${program}\n`)
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
  }
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

it.each(Object.entries({ ours, plain }))(
  'accepts correct programs and rejects wrong ones, by types %s',
  { timeout: 60_000 },
  (_, types) => {
    expect(
      complaintsOf(
        `
type Schemas = components['schemas']
type Email = Schemas['EmailRequest']
export const html: Email = { from: 'a@b.example', to: 'c@d.example', subject: 's', html: '<p>' }
export const text: Email = { from: 'a@b.example', to: 'c@d.example', subject: 's', text: 't' }
// @ts-expect-error a number is no email
export const number: Email = 42
// @ts-expect-error an email has a body
export const bare: Email = { from: 'a@b.example', to: 'c@d.example', subject: 's' }

export function permanent(event: Schemas['Event'], polled: Schemas['PolledEvent']): boolean {
  // @ts-expect-error not every event has it
  void event.data.permanent
  if (polled.type === 'message.bounced') return polled.data.permanent
  if (event.type === 'sending.paused') void event.data.workspace_id
  return event.type === 'message.bounced' && event.data.permanent
}

export const bounced: Schemas['MessageBouncedEvent']['data'] = {
  message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', recipient: 'a@b.example', response: null,
  bounce_classification: 'hard', permanent: true, status: 'bounced',
}
const received = { message_id: 'msg_1', inbox_id: 'ibx_1', thread_id: 'thr_1', from: 'a@b.example', subject: 's' }
export const polledOne: Schemas['PolledEvent'] = { id: 'evt_1', type: 'message.received', org_id: 'org_1', created_at: '2026-01-02', data: received }

type Answer<Op extends keyof operations> = operations[Op]['responses'] extends { '200': { content: { 'application/json': infer Body } } } ? Body : never
export function ids(list: Answer<'listWebhooks'>, deliveries: Answer<'listDeliveries'>): string[] {
  const urls = Array.isArray(list) ? list.map((webhook: Schemas['Webhook']) => webhook.id) : []
  return Array.isArray(deliveries) ? [...urls, ...deliveries.map((delivery: Schemas['Delivery']) => delivery.status)] : urls
}`,
        types,
      ),
    ).toEqual([])
  },
)

it('reports a wrong type', { timeout: 60_000 }, () => {
  expect(complaintsOf(`export const mail: components['schemas']['EmailRequest'] = 42`, ours)).toHaveLength(1)
})

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>
}

it('shows an example of every answer that has a body, and the errors of every operation', () => {
  const paths = openapiDocument['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect(Object.keys(operation.responses), operation.operationId).toEqual(expect.arrayContaining(['429', '4XX']))
    if ('2XX' in operation.responses && operation.operationId !== 'deleteWebhook')
      expect(operation.responses['200'], operation.operationId).toEqual(operation.responses['2XX'])
    for (const [status, { content }] of Object.entries(operation.responses))
      for (const media of Object.values(content ?? {}))
        expect(media, `${operation.operationId} ${status}`).toHaveProperty('example')
  }
})
