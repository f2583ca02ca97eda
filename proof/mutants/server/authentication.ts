import { defaultPolicy } from '../../../reference/server/index.js'
import { defineMutant, type Mutant } from '../define.js'

/** Deviations in authentication. */
export const authenticationMutants: readonly Mutant<'server'>[] = [
  defineMutant({
    id: 'server/wants-another-scheme',
    title: 'only the authentication scheme Token is accepted',
    breaks: ['AUTH-001'],
    policy: {
      credentialOf: (authorization) => /^token (\S+)$/i.exec(authorization ?? '')?.[1],
    },
  }),
  defineMutant({
    id: 'server/looks-at-the-start-of-a-key',
    title: 'text after the key is ignored',
    breaks: ['AUTH-003'],
    policy: {
      credentialOf: (authorization) => /^bearer +(\S{1,36})/i.exec(authorization ?? '')?.[1],
    },
  }),
  defineMutant({
    id: 'server/refuses-with-200',
    title: 'a missing key is answered with 200 and an error body',
    breaks: ['AUTH-002'],
    policy: { authStatus: 200 },
  }),
  defineMutant({
    id: 'server/answers-a-missing-key-with-500',
    title: 'a missing key gets a 500',
    breaks: ['AUTH-002', 'ERR-003'],
    policy: {
      authStatus: 500,
    },
  }),
  defineMutant({
    id: 'server/takes-no-token',
    title: 'token is not read',
    breaks: ['AUTH-005'],
    policy: {
      streamCredentialOf: ({ authorization }) => defaultPolicy.credentialOf(authorization),
    },
  }),
  defineMutant({
    id: 'server/takes-no-header',
    title: 'the Authorization header of a stream is not read',
    breaks: ['AUTH-004'],
    policy: {
      streamCredentialOf: ({ token }) => token,
    },
  }),
]
