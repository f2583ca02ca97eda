import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hideSecrets } from './hidden-arguments.js'

test.each([
  [['node', 'drv', '--api-key', 'abc12'], 'node drv --api-key "$API_KEY"'],
  [['node', 'drv', '--token=abc12'], 'node drv "--token=$TOKEN"'],
  [['node', 'drv', '--password', 'a b'], 'node drv --password "$PASSWORD"'],
  [['node', 'drv', '--key', 'a', '-a', 'alpha'], 'node drv --key "$KEY" "-$KEY" alpha'],
  [['env', 'CLIENT_SECRET=x1', 'node', 'drv'], 'env "CLIENT_SECRET=$CLIENT_SECRET" node drv'],
  [['node', 'drv', 'sk_live_0123456789ab'], 'node drv "$SECRET"'],
  [['node', 'drv', 'whsec_c2VjcmV0c2VjcmV0', 'tok_0123456789ab'], 'node drv "$SECRET" "$SECRET_2"'],
  [['bash', '-c', 'node "drv" --api-key sk_x1 $HOME'], 'bash -c "node \\"drv\\" --api-key $API_KEY \\$HOME"'],
  [
    ['sh', '-c', "curl -H 'Authorization: Bearer Zq7Wv3xK9m' http://a"],
    `sh -c "curl -H 'Authorization: Bearer $TOKEN' http://a"`,
  ],
  [['node', 'drv', 'https://me:pass1@host/'], 'node drv "https://me:$PASSWORD@host/"'],
  [['node', 'drv', '--key', 'from-the-environment'], 'node drv --key "$CONFORMANCE_API_KEY"'],
  [
    ['python3', 'driver.py', '--verbose', '--keys-file', 'keys.json'],
    'python3 driver.py --verbose --keys-file keys.json',
  ],
  [['node', '/home/me/Projects/Webhook-Verifier2/driver.mjs'], 'node /home/me/Projects/Webhook-Verifier2/driver.mjs'],
])('%j is shown as %s', (words, line) => {
  const hidden = hideSecrets(words, { CONFORMANCE_API_KEY: 'from-the-environment', HOME: '/root' })
  expect(hidden.line).toBe(line)
})

test('the line means the same once its variables are set', () => {
  const words = ['printf', '%s|', '--key', 'p"a$s`s\\word', 'x --token=t1 "$HOME"']
  const { line, secrets } = hideSecrets(words, {})
  expect(secrets).toEqual(['p"a$s`s\\word', 't1'])
  const env = { PATH: process.env['PATH'], KEY: 'p"a$s`s\\word', TOKEN: 't1' }
  expect(execFileSync('sh', ['-c', line], { env, encoding: 'utf8' })).toBe(`${words.slice(2).join('|')}|`)
})
