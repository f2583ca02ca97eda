// The habits of wording that this project avoids, and what to write instead. CONTRIBUTING.md has the rules.

/** In comments, docs and strings of hono, ky, fast-check and the MCP conformance suite, all patterns together match less than 2 %. */
const habits = [
  {
    pattern: /\b(what|whoever|whatever) (is|was|are|were|came|comes|stands|has|had|belongs|waits)\b(?![^.!]*\?)/i,
    advice: 'name the thing: "the request", "the expected value"',
  },
  {
    pattern: /(?<!\bthere )\b(is|are|was|were|be) (no|none)\b(?! (longer|more|less)\b)/i,
    advice: 'use an adjective or another verb: "invalid JSON", "no answer arrived"',
  },
  {
    pattern: /\b(says?|said|hears?|heard|told|asked|(tells?|asks?)(?! (you|the user)\b))\b/i,
    advice: 'a program returns, sends, reports, prints, contains or runs',
  },
  {
    pattern: /\b(stands?(?! for\b)|stood|lies|(comes?|came)(?! (from|with|back)\b))\b/i,
    advice: 'use be, arrive, contain or wait',
  },
  { pattern: /\b(nobody|somebody|whoever)\b/i, advice: 'name the actor, or write "unexpected", "unused"' },
  {
    pattern: /\b(beside|in place of|all the same|in vain)\b/i,
    advice: 'use with, next to, instead of, anyway or without success',
  },
  {
    pattern: /\bbehind\b(?! (an?|the) ([\w-]+ )?(proxy|gateway|balancer|tunnel|firewall|front|scenes)\b)/i,
    advice: 'use after, or name the order; "behind a proxy" is fine',
  },
  {
    pattern: /\bfurther\b(?! (details?|changes?|information|reading)\b)/i,
    advice: 'use more, other, remaining or later',
  },
  {
    // Fine at the start of a clause, and in "X if …, Y otherwise".
    pattern: /(?<!(^|[.,;:—(-] ?)(\S+ )?)\botherwise\b/i,
    advice: 'use differently; "if …; otherwise …" is fine',
  },
  { pattern: /\b(held against|put to|booked on|owed|owes)\b/i, advice: 'use checked, compared with, expected' },
  { pattern: /\bfailed (an?|the|no) (right|correct|good)\b/i, advice: 'write "false positive"' },
  {
    pattern: /\b(takes?|took|taken) (no(?! arguments?\b| parameters?\b)|none|it|them|what)\b/i,
    advice: 'use accept, use, remove or need',
  },
]

/** Quoted words and code are left out: the interface, a message, a name. */
const quoted = /`[^`]*`|"[^"]*"|“[^”]*”|https?:\/\/\S+/g

/** Returns the first habit in a text, if any: the words that match, and what to write instead. */
export function findHabit(text) {
  const own = text.replaceAll(quoted, '`…`').replaceAll(/\s+/g, ' ').trim()
  for (const { pattern, advice } of habits) {
    const match = pattern.exec(own)
    if (match !== null) return { words: match[0], advice }
  }
  return undefined
}
