// A delivery as the service sends it: what refuses this refuses everything.

import { first, type Open, type Topic } from './message.js'

export const plain: Topic = [{ from: 3, isFirst: true, build: firstTests }]

function firstTests(open: Open): void {
  const add = open(first.secret)
  add('valid', 'Plain', 'a delivery as the service sends it')
  add('valid', 'Plain', 'signed one second ago', { timestamp: first.clock - 1 })
  add('valid', 'Plain', 'signed one second ahead of the clock', { timestamp: first.clock + 1 })
  add('valid', 'Plain', 'signed two minutes ago', { timestamp: first.clock - 120 })
  add('valid', 'ReplayedId', 'the first delivery again: each is judged by itself')
  add('valid', 'ReplayedId', 'the same event signed later, as a retry', { timestamp: first.clock - 5 })
}
