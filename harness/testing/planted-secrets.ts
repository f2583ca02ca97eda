// Forty unregistered secrets, and the twenty places where a target may show one.
import { createHash } from 'node:crypto'

/** The same random text for the same name. */
function random(
  name: string,
  length: number,
  alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
) {
  let text = ''
  for (let block = 0; text.length < length; block++)
    for (const byte of createHash('sha256').update(`${name} ${block}`).digest())
      text += alphabet[byte % alphabet.length] ?? ''
  return text.slice(0, length)
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const hex = '0123456789abcdef'
const base64 = (text: string) => Buffer.from(text).toString('base64url')
const token = (name: string) =>
  [base64('{"alg":"HS256"}'), base64(`{"sub":"${name}","iat":1700000000}`), random(name, 43)].join('.')

/** Secrets whose form shows what they are. */
export const formed: readonly string[] = [
  ...['sk_live_', 'sk_test_', 'rk_live_', 'pk_live_', 'sk_prod_'].map((prefix) => prefix + random(prefix, 24)),
  ...['ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'].map((prefix) => prefix + random(prefix, 36)),
  `github_pat_${random('pat', 22)}_${random('pat 2', 59)}`,
  `glpat-${random('gitlab', 20)}`,
  `xoxb-${random('slack', 12, '0123456789')}-${random('slack 2', 24)}`,
  `xoxp-${random('slack 3', 40)}`,
  `AKIA${random('aws', 16, upper)}`,
  `ASIA${random('aws 2', 16, upper)}`,
  `AIza${random('google', 35)}`,
  `npm_${random('npm', 36)}`,
  `SG.${random('mail', 22)}.${random('mail 2', 43)}`,
  `key-${random('gun', 32, hex)}`,
  `sk-proj-${random('model', 40)}`,
  token('one'),
  token('another'),
  ...['one', 'two', 'three'].map((name) => `whsec_${Buffer.from(random(name, 24)).toString('base64')}`),
]

/** Secrets that only the name of their place shows. */
export const random24: readonly string[] = [
  ...Array.from({ length: 4 }, (_, index) => random(`plain ${index}`, 24 + 4 * index)),
  ...Array.from({ length: 4 }, (_, index) => random(`hex ${index}`, 32 + 8 * index, hex)),
  ...Array.from({ length: 3 }, (_, index) => random(`upper ${index}`, 26, upper)),
  ...Array.from(
    { length: 3 },
    (_, index) => `${random(`parts ${index}`, 8)}-${random(`part ${index}`, 8)}-${random(`p ${index}`, 8)}`,
  ),
]

export const planted: readonly string[] = [...formed, ...random24]

/** A message with a secret in one place. */
export interface PlantedMessage {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Places whose name shows that they hold a secret. */
export const namedPlaces: Readonly<Record<string, (secret: string) => PlantedMessage>> = {
  'a header x-api-key': (secret) => ({ headers: { 'x-api-key': secret } }),
  'a header x-new-key': (secret) => ({ headers: { 'x-new-key': secret } }),
  'a header x-auth-token': (secret) => ({ headers: { 'x-auth-token': secret } }),
  'a header with a scheme': (secret) => ({ headers: { authorization: `Token ${secret}` } }),
  'a cookie': (secret) => ({ headers: { 'set-cookie': `session=${secret}; Path=/; HttpOnly` } }),
  'a field secret': (secret) => ({ body: JSON.stringify({ id: 'whk_1', secret }) }),
  'a field api_key': (secret) => ({ body: JSON.stringify({ data: [{ api_key: secret }] }) }),
  'a field deployKey': (secret) => ({ body: JSON.stringify({ config: { deployKey: secret } }) }),
  'a field refresh_token': (secret) => ({ body: JSON.stringify({ refresh_token: secret, expires_in: 3600 }) }),
  'a field db-password': (secret) => ({ body: JSON.stringify({ 'db-password': secret }) }),
  'a field credentials': (secret) => ({ body: JSON.stringify({ credentials: secret }) }),
  'a field of JSON in JSON': (secret) => ({ body: JSON.stringify({ raw: JSON.stringify({ client_secret: secret }) }) }),
  'a parameter of a url': (secret) => ({
    body: JSON.stringify({ url: `https://a.example/x?access_token=${secret}&a=1` }),
  }),
  'the password of a url': (secret) => ({ body: JSON.stringify({ url: `https://user:${secret}@a.example/x` }) }),
  'the user of a url': (secret) => ({ headers: { location: `https://${secret}@a.example/x` } }),
  'a form': (secret) => ({ body: `grant_type=password&password=${secret}&scope=a` }),
}

/** Places where the form of a secret alone shows it. */
export const plainPlaces: Readonly<Record<string, (secret: string) => PlantedMessage>> = {
  'a sentence': (secret) => ({ body: JSON.stringify({ message: `The credential ${secret} was refused.` }) }),
  'a page of HTML': (secret) => ({ body: `<html><body><code>${secret}</code></body></html>` }),
  'any header': (secret) => ({ headers: { 'x-debug': `was ${secret}` } }),
  'any field': (secret) => ({ body: JSON.stringify({ note: secret, list: [secret] }) }),
}
