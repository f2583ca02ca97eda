import { describe, expect, it } from 'vitest'
import { causeOfExit } from './cause-of-exit.js'

const rows: readonly (readonly [string, string, string])[] = [
  [
    'Go',
    `panic: runtime error: index out of range [1] with length 1

goroutine 1 [running]:
hooks.match({0xc00001c2d0, 0x2c}, {0xc00001e300, 0x32})
\t/src/hooks.go:307 +0x1016
main.main()
\t/src/cmd/main.go:44 +0x20d
exit status 2
`,
    'panic: runtime error: index out of range [1] with length 1',
  ],
  [
    'Java',
    `Exception in thread "main" java.lang.IllegalStateException: cannot verify
\tat Driver.main(Driver.java:9)
Caused by: java.lang.NumberFormatException: For input string: "abc"
\tat java.base/java.lang.Long.parseLong(Long.java:708)
\t... 1 more
`,
    'Caused by: java.lang.NumberFormatException: For input string: "abc"',
  ],
  [
    'Ruby',
    `driver.rb:31:in \`generate': source sequence is illegal/malformed utf-8 (JSON::GeneratorError)
\tfrom driver.rb:7:in \`each_line'
\tfrom driver.rb:7:in \`<main>'
`,
    "driver.rb:31:in `generate': source sequence is illegal/malformed utf-8 (JSON::GeneratorError)",
  ],
  [
    'PHP',
    `PHP Fatal error:  Uncaught TypeError: hash_equals(): Argument #2 must be of type string, null given in /src/hooks.php:193
Stack trace:
#0 /src/hooks.php(193): hash_equals()
#1 {main}
  thrown in /src/hooks.php on line 193
`,
    'PHP Fatal error:  Uncaught TypeError: hash_equals(): Argument #2 must be of type string, null given in /src/hooks.php:193',
  ],
  [
    'Python',
    `Traceback (most recent call last):
  File "driver.py", line 3, in <module>
    int("abc")
ValueError: invalid literal for int() with base 10: 'abc'
`,
    "ValueError: invalid literal for int() with base 10: 'abc'",
  ],
  [
    'Node',
    `/src/driver.js:3
    throw new TypeError('no key')
    ^

TypeError: no key
    at Object.<anonymous> (/src/driver.js:3:11)

Node.js v22.14.0
`,
    'TypeError: no key',
  ],
  ['a program that prints nothing more', 'ready\nno such file\n', 'no such file'],
  ['frames alone', '\tat Driver.main(Driver.java:9)\n', 'at Driver.main(Driver.java:9)'],
  ['silence', '', ''],
]

describe('lastWords', () => {
  it.each(rows)('finds the cause in what %s writes', (_name, stderr, words) => {
    expect(causeOfExit(stderr)).toBe(words)
  })
})
