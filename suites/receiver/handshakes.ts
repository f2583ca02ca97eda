// RCV-032  "A request with which the provider checks the endpoint is answered as its documentation shows."
// RCV-005  "A delivery with no matching signature is refused."
//
// Only some signature schemes have such a request, which their files describe. It is signed as every delivery is. The level is that of
// the page: an endpoint that must answer is not accepted by the provider until it does.

import { receiverCase, type Handshake, type ReceiverContext } from '../../harness/authoring.js'
import { forged } from './forged.js'

export const handshakes = [
  receiverCase({
    id: 'receiver/handshakes/answers-required-ones',
    requirements: ['RCV-032'],
    level: 'must',
    title: "the provider's mandatory endpoint check is answered as its documentation shows",
    needs: ['handshakes:answered-must'],
    run: (context) => answersEach(context, context.handshakes('answered', 'must')),
  }),

  receiverCase({
    id: 'receiver/handshakes/answers-others',
    requirements: ['RCV-032'],
    level: 'should',
    title: "the provider's optional endpoint check is answered as its documentation shows",
    needs: ['handshakes:answered-should'],
    run: (context) => answersEach(context, context.handshakes('answered', 'should')),
  }),

  receiverCase({
    id: 'receiver/handshakes/refuses-forged-ones',
    requirements: ['RCV-005'],
    level: 'must',
    title: "the provider's endpoint check is refused if its signature is wrong",
    needs: ['handshakes:forged-must'],
    run: (context) => refusesEach(context, context.handshakes('forged', 'must')),
  }),

  // The answer gives an attacker nothing: refusing is advice.
  receiverCase({
    id: 'receiver/handshakes/refuses-other-forged-ones',
    requirements: ['RCV-005'],
    level: 'should',
    title: 'an endpoint check whose answer reveals nothing is refused if its signature is wrong',
    needs: ['handshakes:forged-should'],
    run: (context) => refusesEach(context, context.handshakes('forged', 'should')),
  }),
]

async function answersEach({ accepts, check }: ReceiverContext, all: readonly Handshake[]): Promise<void> {
  const checks = check.of('RCV-032')
  for (const handshake of all) {
    const answer = await accepts(handshake.delivery, checks)
    const { status = 0, excerpt } = answer
    if (status < 200 || status > 299) continue
    const what = `answer to ${handshake.title}`
    checks.ok(what, handshake.isAnsweredBy(answer), `the answer ${handshake.expects}`, `${status} ${excerpt}`.trimEnd())
  }
}

async function refusesEach(
  { send, refuses, leaveToOthers }: ReceiverContext,
  all: readonly Handshake[],
): Promise<void> {
  for (const { delivery, title } of all) {
    const { status = 0 } = await send(delivery)
    if (status < 200 || status > 299) leaveToOthers(`${title} is not answered with a 2xx, which another case checks`)
    await refuses(forged(delivery), undefined, `a wrong signature of ${title}`)
  }
}
