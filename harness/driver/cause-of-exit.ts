// Summarises the last output of a program in one line. Some runtimes put the cause last (Python), others first, followed by the frames of
// the stack (Go, Java, Ruby, PHP).

/** Lines of a trace that name no cause. */
const frame =
  /^(?:\s*at |\s+from |\s*#\d+ |\s*thrown in |\s*File "|\s*\.\.\. \d+ more|\t|goroutine \d|created by |exit status |Stack trace:|Node\.js v|Traceback |[\w./*()-]+\((?:\{?0x|\.\.\.|\)))/

/** Words that name one. */
const cause = /\b(?:panic|fatal error|uncaught|caused by|\w*exception|\w*error)\b/i

/**
 * Returns the line of standard error that explains the end of the program: the last with a cause, else the last outside the stack trace.
 */
export function causeOfExit(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const messages = lines.filter((line) => !frame.test(line))
  return (messages.findLast((line) => cause.test(line)) ?? messages.at(-1) ?? lines.at(-1) ?? '').trim()
}
