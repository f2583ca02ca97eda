/** How a framework hands out the bytes of a body, before it has read them. */
interface Framework {
  readonly name: string
  /** Headers by which its answers are known; a framework without any is never recognized. */
  readonly answers?: RegExp
  readonly rawBody: string
}

const frameworks: readonly Framework[] = [
  {
    name: 'express',
    answers: /^x-powered-by: express/im,
    rawBody: "app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), handler), before express.json()",
  },
  {
    name: 'fastify',
    rawBody: "app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body))",
  },
  {
    name: 'koa',
    rawBody: 'const body = await rawBody(ctx.req), from the package raw-body, before koa-bodyparser',
  },
  { name: 'hono', rawBody: 'await c.req.arrayBuffer(), not c.req.json()' },
  {
    name: 'Next.js',
    answers: /^x-powered-by: next\.js/im,
    rawBody:
      'await request.text() in a route handler; below pages/api: export const config = { api: { bodyParser: false } }',
  },
  { name: 'Flask', answers: /^server: werkzeug/im, rawBody: 'request.get_data(), before request.json' },
  {
    name: 'FastAPI',
    answers: /^server: uvicorn/im,
    rawBody: 'body = await request.body(), with request: Request and no model',
  },
  {
    name: 'Django',
    answers: /^server: wsgiserver/im,
    rawBody: 'request.body, in a view that is @csrf_exempt',
  },
  { name: 'Rails', answers: /^x-runtime: [\d.]+$/im, rawBody: 'request.raw_post' },
  {
    name: 'Laravel',
    answers: /laravel_session=/i,
    rawBody: '$request->getContent(), on a route without the CSRF check',
  },
  { name: 'net/http', rawBody: 'body, err := io.ReadAll(r.Body), before any json.Decoder' },
  { name: 'Spring', rawBody: '@RequestBody byte[] body, not a class' },
]

/** How to get at the raw bytes: in the framework that answered, where its answers show which, else in each. */
function rawBodyIn(answered: readonly Readonly<Record<string, string>>[]): readonly string[] {
  const lines = answered.flatMap((headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
  const answers = [...new Set(lines)].join('\n')
  const known = frameworks.filter((framework) => framework.answers?.test(answers) === true)
  return (known.length > 0 ? known : frameworks).map(({ name, rawBody }) => `${name}: ${rawBody}`)
}

/** What to do where a body is parsed before it is verified, as lines; by the headers of the answers. */
export function rawBodyRemedy(answered: readonly Readonly<Record<string, string>>[]): string {
  const rule = 'Verify the received bytes of the body before anything parses them; parse them afterwards.'
  return [rule, ...rawBodyIn(answered)].join('\n')
}
