import { patchesOfServer, type Patch } from '../define.js'

const attempts = 'server/engine/attempts.ts'
const egress = 'server/egress/egress.ts'
const recording = 'deliveries.record({ id: due.id, attempt: due.attempt + 1, '

/** Keeps an attempt whose time is over: `late` handles its answer, statements over `outcome`, of the kind answer, `attempt` and `due`. */
function listensOn(late: string): Patch {
  return {
    file: attempts,
    find: 'return await makeAttempt({ due, url, secret, body, attemptAt: startedAt, signal, policy, egress, onSigned })',
    replace: `const made = makeAttempt({ due, url, secret, body, attemptAt: startedAt, signal: new AbortController().signal, policy, egress, onSigned })
void made.then((outcome) => { if (signal.aborted && outcome.kind === 'answer') { ${late} } })
const over = new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'timeout' })))
return await Promise.race([made, over])`,
  }
}

/** Whether the delivery that is attempted is a replay. */
const isReplay = 'deliveries.get(due.id, due.webhookId)?.replayOf'

/** The time to answer an attempt for which `condition` holds. */
function answeredWithin(ms: number, condition: string): Patch {
  return {
    file: attempts,
    find: 'deadline: startedAt + policy.answerTimeMs,',
    replace: `deadline: startedAt + (${condition} ? ${ms} : policy.answerTimeMs),`,
  }
}

/** A delay counts from the start of an attempt, as it may: the record does not show how long the consumer had. */
const countsFromTheStart: Patch = {
  file: 'server/engine/next-state.ts',
  find: "rules.delayOrigin === 'attempt-start' ? ended.startedAt : ended.endedAt",
  replace: 'ended.startedAt',
}

/** Deviations that depend on how long the server waits for an answer, on a late answer, or on one that is cut off. */
export const narrowLateAnswerMutants = patchesOfServer([
  [
    'settles-by-a-late-answer',
    'a 2xx after the 10 seconds makes the delivery succeeded and ends its retries',
    ['DLV-008', 'RTY-012'],
    listensOn(
      `if (policy.isSuccess(outcome.status)) ${recording} status: 'succeeded', responseCode: outcome.status, snippet: outcome.snippet, error: null, nextAttemptAt: null })`,
    ),
  ],
  [
    'retries-after-a-late-answer-once-more',
    'records a late failure as in time, and repeats the retry',
    ['RTY-012', 'DLV-008'],
    listensOn('if (!policy.isSuccess(outcome.status)) write(attempt, outcome, attempt.deadline)'),
  ],
  [
    'retries-replays-after-a-late-answer-once-more',
    'records a late failure of a replay as in time, and repeats the retry',
    ['RTY-012', 'RPL-008', 'DLV-008'],
    listensOn(
      'if (!policy.isSuccess(outcome.status) && deliveries.get(due.id, due.webhookId)?.replayOf != null) write(attempt, outcome, attempt.deadline)',
    ),
  ],
  [
    'tells-a-late-answer-in-place-of-a-later-one',
    'overwrites code and body of a later attempt with a late answer',
    ['DLV-018', 'DLV-019'],
    listensOn(
      'const now = deliveries.get(due.id, due.webhookId); deliveries.record({ ...now, responseCode: outcome.status, snippet: outcome.snippet })',
    ),
  ],
  [
    'does-not-retry-answers-that-are-cut-off',
    'an answer whose body is cut off ends the delivery',
    ['RTY-012', 'DLV-011'],
    {
      file: egress,
      find: 'catch { } return { status: answer.statusCode',
      replace: `catch { if (answer.statusCode >= 300 && !request.signal.aborted) throw Object.assign(new Error('cut off'), { code: 'CUT_OFF' }) }
return { status: answer.statusCode`,
    },
    {
      file: 'server/engine/next-state.ts',
      find: 'if (!rules.isRetried(outcome))',
      replace: "if (!rules.isRetried(outcome) || (outcome.kind === 'connection' && outcome.error === 'CUT_OFF'))",
    },
  ],
  [
    'keeps-no-control-characters',
    'control characters of an answer are left out of the snippet',
    ['DLV-019'],
    {
      file: 'server/policy/deliveries.ts',
      find: 'snippet: (body) => firstCodePoints(body, snippetCharacters)',
      replace: String.raw`snippet: (body) => firstCodePoints(body.replace(/[\x01-\x08\x0e-\x1f\x7f]/g, ''), snippetCharacters)`,
    },
  ],
  [
    'waits-5-seconds-for-answers-to-replays',
    'the consumer gets 5 seconds to answer a replay',
    ['DLV-007', 'RPL-008'],
    answeredWithin(5_000, isReplay),
  ],
  [
    'waits-5-seconds-for-answers-to-retries',
    'a retry times out after 5 seconds; delays count from the start',
    ['DLV-007'],
    answeredWithin(5_000, 'due.attempt > 0'),
    countsFromTheStart,
  ],
  [
    'waits-half-a-minute-for-answers-to-retries',
    'a retry times out after half a minute; delays count from the start',
    ['DLV-008'],
    answeredWithin(30_000, 'due.attempt > 0'),
    countsFromTheStart,
  ],
  [
    'waits-20-seconds-for-answers-to-replays',
    'a replay times out after 20 seconds; delays count from the start',
    ['DLV-008', 'RPL-008'],
    answeredWithin(20_000, isReplay),
    countsFromTheStart,
  ],
  [
    'waits-5-seconds-for-answers-to-the-last-attempt',
    'the consumer gets 5 seconds to answer the seventh attempt',
    ['DLV-007'],
    answeredWithin(5_000, 'due.attempt === 6'),
    countsFromTheStart,
  ],
  [
    'waits-half-a-minute-for-answers-to-the-sixth-attempt',
    'the sixth attempt times out after half a minute; delays count from the start',
    ['DLV-008'],
    answeredWithin(30_000, 'due.attempt === 5'),
    countsFromTheStart,
  ],
  [
    'waits-5-seconds-for-answers-to-retries-of-a-replay',
    'a retry of a replay times out after 5 seconds; delays count from the start',
    ['DLV-007', 'RPL-008'],
    answeredWithin(5_000, `${isReplay} && due.attempt > 0`),
    countsFromTheStart,
  ],
  [
    'waits-half-a-minute-for-answers-to-late-retries-of-a-replay',
    'the fifth attempt of a replay times out after half a minute',
    ['DLV-008', 'RPL-008'],
    answeredWithin(30_000, `${isReplay} && due.attempt === 4`),
    countsFromTheStart,
  ],
])
