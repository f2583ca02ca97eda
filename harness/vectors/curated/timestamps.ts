// The timestamp: Unix seconds, at most 300 from the clock on either side; 300 is inside, 301 is not.

import { bytesOf, clock, first, secretOf, type Open, type Topic } from './message.js'

export const timestamps: Topic = [
  { from: 9, isFirst: true, build: firstTests },
  { from: 1301, build: laterTests },
]

function firstTests(open: Open): void {
  const add = open(first.secret)
  for (const age of [299, 300] as const) {
    add('valid', 'BoundaryTimestamp', `${age} seconds old: not more than 300`, { timestamp: first.clock - age })
    add('valid', 'BoundaryFutureTimestamp', `${age} seconds ahead: not more than 300`, { timestamp: first.clock + age })
  }
  for (const age of [301, 302, 360, 600, 3_600, 86_400, 31_536_000]) {
    add('invalid', age === 301 ? 'BoundaryTimestamp' : 'StaleTimestamp', `${age} seconds old`, {
      timestamp: first.clock - age,
    })
    add('invalid', age === 301 ? 'BoundaryFutureTimestamp' : 'FutureTimestamp', `${age} seconds ahead`, {
      timestamp: first.clock + age,
    })
  }
  add('invalid', 'StaleTimestamp', 'the timestamp 0', { timestamp: '0' })
  add('invalid', 'StaleTimestamp', 'the timestamp 1', { timestamp: '1' })
  add('invalid', 'FutureTimestamp', 'milliseconds instead of seconds', { timestamp: first.clock * 1000 })
  add('invalid', 'FutureTimestamp', 'microseconds instead of seconds', { timestamp: first.clock * 1_000_000 })
  add('invalid', 'FutureTimestamp', 'the greatest number of 32 bits', { timestamp: '4294967295' })
  add('invalid', 'FutureTimestamp', 'the greatest number of 64 bits', { timestamp: '9223372036854775807' })
  add('invalid', 'FutureTimestamp', 'a number beyond 64 bits', { timestamp: '18446744073709551616' })
  add('invalid', 'FutureTimestamp', 'four thousand digits', { timestamp: '9'.repeat(4_000) })
  add('invalid', 'StaleTimestamp', 'a negative number', { timestamp: '-1' })
  add('invalid', 'StaleTimestamp', 'the clock with a minus sign', { timestamp: `-${first.clock}` })
  add('invalid', 'StaleTimestamp', 'the least number of 64 bits', { timestamp: '-9223372036854775808' })
  for (const text of ['abc', 'now', 'NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', '{}', '[]'])
    add('invalid', 'MalformedTimestamp', `the text ${text}`, { timestamp: text })
  add('invalid', 'MalformedTimestamp', 'ISO 8601', { timestamp: '2023-11-14T22:13:20Z' })
  add('invalid', 'MalformedTimestamp', 'an HTTP date', { timestamp: 'Tue, 14 Nov 2023 22:13:20 GMT' })
  add('invalid', 'MalformedTimestamp', 'a blank between the digits, signed as sent', { timestamp: '17000 00000' })
  for (const [name, text] of [
    ['a decimal .9', `${first.clock}.9`],
    ['a decimal point', `${first.clock}.`],
    ['letters after the digits', `${first.clock}abc`],
    ['twice, joined by a comma', `${first.clock}, ${first.clock}`],
    ['a semicolon and more', `${first.clock};1`],
    ['an exponent', '1.7e9'],
    ['underscores', '1_700_000_000'],
    ['hexadecimal', `0x${first.clock.toString(16)}`],
    ['octal', `0o${first.clock.toString(8)}`],
    ['binary', `0b${first.clock.toString(2)}`],
  ] as const) {
    add('invalid', 'TimestampSpelling', `${name}, the plain number signed`, {
      timestamp: text,
      signedTimestamp: first.clock,
    })
    add('acceptable', 'TimestampSpelling', `${name}, signed as sent`, { timestamp: text })
  }
  for (const [name, text] of [
    ['a plus sign', `+${first.clock}`],
    ['a leading zero', `0${first.clock}`],
    ['a leading blank', ` ${first.clock}`],
    ['a trailing blank', `${first.clock} `],
    ['full-width digits', '１７００００００００'],
    ['Arabic-Indic digits', '١٧٠٠٠٠٠٠٠٠'],
    ['a decimal .0', `${first.clock}.0`],
  ] as const) {
    add('invalid', 'TimestampSpelling', `${name}, the plain number signed`, {
      timestamp: text,
      signedTimestamp: first.clock,
    })
    add('acceptable', 'TimestampSpelling', `${name}, signed as sent`, { timestamp: text })
  }
}

function laterTests(open: Open): void {
  const key = bytesOf('timestamps', 24)
  const add = open(secretOf(key), key)

  for (const age of [2, 59, 61, 180, 240, 298]) {
    add('valid', 'BoundaryTimestamp', `${age} seconds old`, { timestamp: clock - age })
    add('valid', 'BoundaryFutureTimestamp', `${age} seconds ahead`, { timestamp: clock + age })
  }
  for (const [distance, what] of [
    [303, 'a little more than the tolerance'],
    [599, 'just below ten minutes'],
    [601, 'just above ten minutes'],
    [899, 'just below a quarter of an hour'],
    [7_200, 'two hours, as clocks of other zones are'],
    [299_999, 'just below 300,000 seconds: a tolerance taken for milliseconds'],
  ] as const) {
    add('invalid', 'StaleTimestamp', `${what}, in the past`, { timestamp: clock - distance })
    add('invalid', 'FutureTimestamp', `${what}, in the future`, { timestamp: clock + distance })
  }
  add('invalid', 'FutureTimestamp', '2^32 seconds ahead: a difference of 32 bits is zero', {
    timestamp: clock + 4_294_967_296,
  })
  add('invalid', 'FutureTimestamp', 'the greatest integer that a double holds exactly', {
    timestamp: '9007199254740991',
  })

  for (const [comment, timestamp] of [
    ['2^64 and the clock: 64 bits wrap to now', String(2n ** 64n + BigInt(clock))],
    ['one beyond the signed integers of 64 bits', '9223372036854775808'],
    ['four hundred digits', '9'.repeat(400)],
  ] as const)
    add('invalid', 'FutureTimestamp', comment, { timestamp })

  // Signed as sent: only the owner of the secret can make such a header, but it has no age.
  const malformed = (comment: string, timestamp: string) => add('invalid', 'MalformedTimestamp', comment, { timestamp })
  // The same, but a parser that reads the digits in front finds the right age.
  const suffixed = (comment: string, timestamp: string) =>
    add('acceptable', 'TimestampSpelling', comment, { timestamp })
  malformed('a minus sign alone', '-')
  malformed('letters before the number', `t${clock}`)
  suffixed('letters after the number', `${clock}abc`)
  suffixed('a unit after the number', `${clock}s`)
  suffixed('two numbers with a comma, as two header lines are joined', `${clock}, ${clock}`)
  suffixed('two numbers with a blank', `${clock} ${clock}`)
  malformed('commas between the thousands', '1,800,000,000')
  suffixed('a sum', `${clock}+0`)
  malformed('a date', '2027-01-15')

  // Signed as the plain number, but sent in other characters: the header is not the signed text.
  const malleable = (comment: string, timestamp: string) =>
    add('invalid', 'TimestampSpelling', comment, { timestamp, signedTimestamp: clock })
  malleable('another number after a blank, the first one signed', `${clock} ${clock + 1}`)
  malleable('another number after a comma, the first one signed', `${clock}, 1`)
  malleable('another number after a comma, the last one signed', `1, ${clock}`)
  malleable('.999 after the signed number', `${clock}.999`)
  malleable('the ISO 8601 instant of the signed number', '2027-01-15T08:00:00Z')
  add('invalid', 'FutureTimestamp', 'the milliseconds of the signed number', {
    timestamp: `${clock}000`,
    signedTimestamp: clock,
  })

  // No clock has shown fewer than ten digits since 2001: a library may know that.
  add('acceptable', 'TimestampSpelling', 'a clock of nine digits', {
    timestamp: 900_000_000,
    now: 900_000_100,
  })
  add('valid', 'Plain', 'beyond the signed 32 bits of 2038', { timestamp: 2_147_483_700, now: 2_147_483_600 })
  add('valid', 'Plain', 'the tolerance across the signed 32 bits of 2038', {
    timestamp: 2_147_483_600,
    now: 2_147_483_700,
  })
  add('valid', 'Plain', 'beyond the unsigned 32 bits of 2106', { timestamp: 4_294_967_400, now: 4_294_967_300 })

  // A difference is often multiplied before it is compared, and what the machine's integer cannot hold wraps around.
  for (const [comment, distance] of [
    ['2^32 milliseconds: a difference of 32 bits is nearly zero', 4_294_967n],
    ['2^32 microseconds: a difference of 32 bits is nearly zero', 4_295n],
  ] as const) {
    add('invalid', 'StaleTimestamp', `${comment}, in the past`, { timestamp: String(BigInt(clock) - distance) })
    add('invalid', 'FutureTimestamp', `${comment}, in the future`, { timestamp: String(BigInt(clock) + distance) })
  }
  for (const [comment, perSecond] of [
    ['2^64 nanoseconds', 1_000_000_000n],
    ['2^64 microseconds', 1_000_000n],
    ['2^64 milliseconds', 1_000n],
  ] as const)
    add('invalid', 'FutureTimestamp', `${comment} ahead: a difference of 64 bits is nearly zero`, {
      timestamp: String(BigInt(clock) + (2n ** 64n + perSecond / 2n) / perSecond),
    })
  // The smallest integer of 32 bits has no positive twin: its absolute value is negative, and less than any tolerance.
  add('invalid', 'FutureTimestamp', '2^31 seconds ahead: the difference of 32 bits has no absolute value', {
    timestamp: clock + 2_147_483_648,
  })
}
