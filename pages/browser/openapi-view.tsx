import type { JSX } from 'preact'
import { Head, Opening, Sentence, useJson } from './parts.js'

/** A part of an OpenAPI document; what it holds is looked at with care. */
export interface Node {
  readonly [name: string]: unknown
}

/** The API, every operation of it, from its OpenAPI document. */
export function OpenapiView({ address }: { readonly address: string }): JSX.Element {
  const spec = useJson<Node>(address)
  if (spec === undefined) return <p role="status">Loading</p>
  const info = nodeOf(spec['info'])
  const parts = [
    { title: 'Requests', paths: nodeOf(spec['paths']) },
    { title: 'Sent by the service', paths: nodeOf(spec['webhooks']) },
  ]
  return (
    <section class="api" aria-label="API">
      <p class="small">{textOf(info['summary'] ?? info['title'])} Fields and parameters with * are required.</p>
      {parts.map(({ title, paths }) => (
        <>
          <h2>{title}</h2>
          {Object.entries(paths).flatMap(([path, item]) => {
            const methods = nodeOf(item)
            return Object.entries(methods)
              .filter(([, operation]) => nodeOf(operation)['responses'] !== undefined)
              .map(([method, operation]) => (
                <Operation
                  spec={spec}
                  method={method}
                  path={path}
                  operation={nodeOf(operation)}
                  shared={listOf(methods['parameters'])}
                />
              ))
          })}
        </>
      ))}
    </section>
  )
}

export function nodeOf(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

interface OperationProps {
  readonly spec: Node
  readonly method: string
  readonly path: string
  readonly operation: Node
  readonly shared: readonly unknown[]
}

function Operation({ spec, method, path, operation, shared }: OperationProps): JSX.Element {
  const label = (
    <>
      <b class="method">{method.toUpperCase()}</b> <code>{path}</code>{' '}
      <span class="small">{textOf(operation['summary'])}</span>
    </>
  )
  return (
    <Opening class="operation" label={label}>
      {() => {
        const parameters = [...shared, ...listOf(operation['parameters'])].map((parameter) => resolved(spec, parameter))
        const body = resolved(spec, operation['requestBody'])
        return (
          <>
            <p>
              <Sentence text={textOf(operation['description'])} />
            </p>
            {parameters.length === 0 ? null : (
              <>
                <h3>Parameters</h3>
                <Fields
                  label={`Parameters of ${method} ${path}`}
                  rows={parameters.map((parameter) => ({
                    name: `${textOf(parameter['name'])}${parameter['required'] === true ? ' *' : ''}`,
                    type: `${textOf(parameter['in'])}: ${typeOf(spec, parameter['schema'])}`,
                    about: textOf(parameter['description']),
                  }))}
                />
              </>
            )}
            {body['content'] === undefined ? null : (
              <>
                <h3>Body</h3>
                <Schema spec={spec} label={`Body of ${method} ${path}`} content={nodeOf(body['content'])} />
              </>
            )}
            {Object.entries(answersOf(operation)).map(([status, answer]) => {
              const response = resolved(spec, answer)
              return (
                <>
                  <p>
                    <b>{status}</b>{' '}
                    <span class="small">
                      <Sentence text={textOf(response['description'])} />
                    </span>
                  </p>
                  {response['content'] === undefined ? null : (
                    <Schema
                      spec={spec}
                      label={`Answer ${status} of ${method} ${path}`}
                      content={nodeOf(response['content'])}
                    />
                  )}
                </>
              )
            })}
          </>
        )
      }}
    </Opening>
  )
}

/** The answers of an operation, without the `200` that repeats `2XX`. */
function answersOf(operation: Node): Node {
  const all = nodeOf(operation['responses'])
  const { '200': ok, ...others } = all
  return JSON.stringify(ok) === JSON.stringify(others['2XX']) ? others : all
}

interface Field {
  readonly name: string
  readonly type: string
  readonly about: string
}

interface SchemaProps {
  readonly spec: Node
  readonly label: string
  readonly content: Node
}

export function Schema({ spec, label, content }: SchemaProps): JSX.Element {
  const [media] = Object.values(content)
  const schema = nodeOf(media)['schema']
  const rows: Field[] = []
  collect(spec, resolved(spec, schema), { prefix: '', depth: 0, rows })
  return rows.length === 0 ? <p class="small">{typeOf(spec, schema)}</p> : <Fields label={label} rows={rows} />
}

function Fields({ label, rows }: { readonly label: string; readonly rows: readonly Field[] }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table>
        <Head names={['Field', 'Type', 'About']} />
        <tbody>
          {rows.map(({ name, type, about }) => (
            <tr>
              <td>
                <code>{name}</code>
              </td>
              <td>{type}</td>
              <td>
                <Sentence text={about} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How deep a schema is shown. */
const deepest = 5

interface Collecting {
  readonly prefix: string
  readonly depth: number
  readonly rows: Field[]
}

/** The fields of a schema, those within it by their path. */
function collect(spec: Node, schema: Node, { prefix, depth, rows }: Collecting): void {
  if (depth > deepest) return
  for (const part of ['allOf', 'oneOf', 'anyOf'].flatMap((name) => listOf(schema[name])))
    collect(spec, resolved(spec, part), { prefix, depth: depth + 1, rows })
  if (schema['items'] !== undefined)
    collect(spec, resolved(spec, schema['items']), { prefix: `${prefix}[]`, depth: depth + 1, rows })
  const required = new Set(listOf(schema['required']))
  for (const [name, property] of Object.entries(nodeOf(schema['properties']))) {
    const inner = resolved(spec, property)
    const path = prefix === '' ? name : `${prefix}.${name}`
    if (!rows.some((row) => row.name.replace(' *', '') === path))
      rows.push({
        name: required.has(name) ? `${path} *` : path,
        type: typeOf(spec, property),
        about: textOf(inner['description']),
      })
    collect(spec, inner, { prefix: path, depth: depth + 1, rows })
  }
}

/** What a reference leads to. */
export function resolved(spec: Node, value: unknown): Node {
  let found = nodeOf(value)
  for (let step = 0; step < 8 && typeof found['$ref'] === 'string'; step++) {
    let at: unknown = spec
    for (const name of found['$ref'].slice(2).split('/'))
      at = nodeOf(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')]
    found = nodeOf(at)
  }
  return found
}

function typeOf(spec: Node, value: unknown): string {
  const inner = resolved(spec, value)
  if (Array.isArray(inner['enum'])) return inner['enum'].join(' | ')
  if (inner['const'] !== undefined) return JSON.stringify(inner['const'])
  const type = Array.isArray(inner['type']) ? inner['type'].join(' or ') : textOf(inner['type'])
  return [type, typeof inner['format'] === 'string' ? `(${inner['format']})` : ''].join(' ').trim()
}
