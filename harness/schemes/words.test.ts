import { describe, expect, it } from 'vitest'
import { loadScheme, schemeNames } from '../../fixtures/index.js'
import { requirementIds, requirements } from '../../spec/index.js'
import { remedyFor } from '../causes/remedies.js'
import { appliesToReceiver } from '../receiver/needs.js'
import { bindsVerifier } from '../verifier/needs.js'
import { SignatureScheme } from './scheme.js'
import { sentenceUnder, wordsOf } from './words.js'

const ofSchemes = requirementIds.filter((id) => ['receiver', 'verifier', 'sender'].includes(requirements[id].subject))
/** Only under the profile `interface`. */
const ofInterface: readonly string[] = ['SDR-006']

describe.each(schemeNames().filter((name) => !['standard-webhooks', 'standard-webhooks-v1a'].includes(name)))(
  'under the scheme %s',
  (name) => {
    const scheme = new SignatureScheme(loadScheme(name))
    const words = wordsOf(scheme)
    const texts = ofSchemes
      .filter((id) => (id.startsWith('VFY') ? bindsVerifier(scheme, id) : appliesToReceiver({ scheme }, id)))
      .filter((id) => !ofInterface.includes(id))
      .map((id) => ({ id, sentence: sentenceUnder(words, id) ?? requirements[id].text, remedy: remedyFor(id, words) }))

    it('no sentence names what only the interface has', () => {
      const isOfInterface = name === 'svix' ? /`webhook-|`v1/ : /`webhook-|\bwhsec_|`v1/
      expect(texts.filter(({ sentence }) => isOfInterface.test(sentence))).toEqual([])
    })

    it('no remedy names a header of the interface', () => {
      const isOther = /(?<!-shopify-)webhook-(id|timestamp|signature)/
      expect(texts.filter(({ remedy }) => isOther.test(remedy))).toEqual([])
    })
  },
)

it('the words of a scheme are those of its page', () => {
  expect(wordsOf(new SignatureScheme(loadScheme('stripe')))).toMatchObject({
    id: 'id of the body',
    timestamp: 't= of stripe-signature',
    signed: '{timestamp}.{raw body}',
    entry: 'v1=<hex>',
    form: 't=<timestamp>,v1=<hex>',
    key: 'Use the text of the secret as the key.',
  })
})
