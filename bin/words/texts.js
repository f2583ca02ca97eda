// The English in a file: its comments, its strings that read as sentences, and the lines of a Markdown page. A JSON or YAML file has
// descriptions.
import jsTokens from 'js-tokens'

/** Returns each piece of English in a source file or a Markdown page, with its kind and its line. */
export function readTexts(file, source) {
  if (file.endsWith('.md')) return readMarkdown(source)
  if (/\.(json|ya?ml)$/.test(file)) return readDescriptions(source)
  return readSource(file, source)
}

function readSource(file, source) {
  const texts = []
  let line = 1
  let template
  let comment
  for (const token of jsTokens(source, { jsx: file.endsWith('x') })) {
    const { type, value } = token
    if (type === 'SingleLineComment') {
      if (comment?.lastLine === line - 1) {
        comment.text += ` ${value.slice(2)}`
        comment.lastLine = line
      } else texts.push((comment = { kind: 'comments', line, lastLine: line, text: value.slice(2) }))
    } else if (type === 'MultiLineComment') {
      texts.push({ kind: 'comments', line, text: value.slice(2, -2).replaceAll(/^\s*\*/gm, '') })
    } else if (type === 'StringLiteral' || type === 'NoSubstitutionTemplate') {
      texts.push({ kind: 'texts', line, text: value.slice(1, -1) })
    } else if (type === 'TemplateHead') {
      template = { kind: 'texts', line, text: value.slice(1, -2) }
    } else if (type === 'TemplateMiddle' && template !== undefined) {
      template.text += `…${value.slice(1, -2)}`
    } else if (type === 'TemplateTail' && template !== undefined) {
      texts.push({ ...template, text: `${template.text}…${value.slice(1, -1)}` })
      template = undefined
    } else if (type === 'JSXText') {
      texts.push({ kind: 'texts', line, text: value })
    }
    line += value.split('\n').length - 1
  }
  return texts.filter(({ kind, text }) => (kind === 'comments' ? /[a-z]{2}/i.test(text) : isSentence(text)))
}

const code = /=>|[{};]\s*(\\n|$)|&&|\|\||\?\?|===|<\/?[a-z]/m
const statement = /^\s*(const|let|if|return|export|import|await|select|insert|update|delete from|create)\b/m

/** Whether a string is English rather than code, an id or a pattern: four words or more, and no sign of code. */
function isSentence(text) {
  const words = text.split(/\s+/).filter((word) => /^["'(]?[a-z][a-z'’-]*[,.;:!?)"']*$/i.test(word))
  return words.length >= 4 && !code.test(text) && !statement.test(text)
}

/** Each line of JSON or YAML, without its key: a value that reads as a sentence, or a comment. */
function readDescriptions(source) {
  return source.split('\n').flatMap((line, index) => {
    const comment = /^\s*#\s(.*)/.exec(line)?.[1]
    if (comment !== undefined) return [{ kind: 'comments', line: index + 1, text: comment }]
    const text = line.replace(/^.*?"?(\w+)"?: ["'{>|]*/, '').replace(/["'},]*$/, '')
    return isSentence(text) ? [{ kind: 'texts', line: index + 1, text }] : []
  })
}

function readMarkdown(source) {
  let isCode = false
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(```|~~~)/.test(text)) {
      isCode = !isCode
      return []
    }
    const isProse = !isCode && !/^( {4}|\t)(?!\s*([-*]|\d+\.) )/.test(text) && /[a-z]{2}.*[a-z]{2}/i.test(text)
    return isProse ? [{ kind: 'markdown', line: index + 1, text }] : []
  })
}
