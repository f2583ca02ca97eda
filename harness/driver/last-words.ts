// What a program said as it died, in one line. Some runtimes end with it (Python), others begin with it and let the frames
// of the stack follow (Go, Java, Ruby, PHP).

/** Lines that stand in a trace and name no cause. */
const frame =
  /^(?:\s*at |\s+from |\s*#\d+ |\s*thrown in |\s*File "|\s*\.\.\. \d+ more|\t|goroutine \d|created by |exit status |Stack trace:|Node\.js v|Traceback |[\w./*()-]+\((?:\{?0x|\.\.\.|\)))/

/** Words that name one. */
const cause = /\b(?:panic|fatal error|uncaught|caused by|\w*exception|\w*error)\b/i

/** The line of standard error that tells why the program ended: the last that names a cause, else the last that is no frame. */
export function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const told = lines.filter((line) => !frame.test(line))
  return (told.findLast((line) => cause.test(line)) ?? told.at(-1) ?? lines.at(-1) ?? '').trim()
}
