/** A template cut at its parts: `{id}.{body}` is `[{ part: 'id' }, { text: '.' }, { part: 'body' }]`. */
export type TemplatePiece<Part extends string> = { readonly text: string } | { readonly part: Part }

/** Parses a template into pieces. Throws an `Error` that names an unknown part. */
export function parseTemplate<const Part extends string>(
  template: string,
  parts: readonly Part[],
): readonly TemplatePiece<Part>[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) => {
      if (!/[{}]/.test(text)) return { text }
      const part = parts.find((name) => `{${name}}` === text)
      if (part !== undefined) return { part }
      const known = parts.map((name) => `{${name}}`).join(', ')
      throw new Error(
        text.startsWith('{') && text.endsWith('}')
          ? `${text} is not a part of a template: expected ${known}`
          : `a brace is not closed or not opened: expected parts such as ${known}`,
      )
    })
}

/** The text before and after the one part of a template such as `v1,{signature}`. */
export function aroundPart(template: string, part: string): readonly [before: string, after: string] {
  const at = template.indexOf(`{${part}}`)
  return [template.slice(0, at), template.slice(at + part.length + 2)]
}
