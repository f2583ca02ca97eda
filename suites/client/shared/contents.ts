/** Emails with contents that a program might be tempted to correct. */
export const contents = [
  { subject: 'Grüße, 你好 👋 "quoted" \\ \u2028', text: 'Zoë: cafe\u0301\r\n\r\n  indented \n' },
  { subject: ' Blanks around ', html: '<p>Hi &amp; bye</p>\n<b>Zoë</b> ' },
  { subject: 'Fish & chips <3', text: 'a < b && c > d' },
  { subject: 'Both', html: '<p>Hi</p>\r\n<p>there</p>\r\n', text: 'Hi' },
  // Texts that look like numbers and the like.
  { subject: '007', text: '1e3' },
  { subject: 'null', html: 'true' },
  // Signs that stand for others elsewhere: in a terminal, in print, in a transfer of mail.
  {
    subject: 'It\u2019s \u201cthere\u201d:\u00a0now',
    text: 'one\ttwo\n.\n..\n\u00a0three',
    html: '<pre>\t\u00a0</pre>',
  },
  { subject: 'Long', text: 'A line.\n'.repeat(5_000), html: '<p>A line.</p>'.repeat(5_000) },
] as const
