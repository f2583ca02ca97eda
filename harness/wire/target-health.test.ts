import { expect, test } from 'vitest'
import { TargetHealth } from './target-health.js'

test.each([
  ['connect EMFILE 127.0.0.1:80', /^this process may open no more connections .*ulimit -n/],
  ['Response does not match the HTTP/1.1 protocol', /^api\.example sent no complete answer/],
])('who causes a missing answer: %s', (failure, says) => {
  const health = new TargetHealth()
  while (!health.cut());
  health.cutsEverything('api.example', failure)
  expect(health.lost).toMatch(says)
})
