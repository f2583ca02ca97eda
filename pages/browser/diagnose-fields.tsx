import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { SchemeData } from '../../fixtures/index.js'
import type { Form } from './diagnose-form.js'
import { Select } from './parts.js'

interface FieldProps {
  readonly form: Form
  readonly change: (changed: Partial<Form>) => void
}

/** The fields of a request, its secret and how it is searched. */
export function Fields({
  form,
  schemes,
  change,
}: FieldProps & { readonly schemes: readonly SchemeData[] }): JSX.Element {
  const scheme = schemes.find(({ name }) => name === form.scheme)
  return (
    <>
      <p>
        <Select
          label="Scheme"
          value={form.scheme}
          options={[
            ['', 'The signature of this interface'],
            ...schemes.map(({ name, title }) => [name, title] as const),
          ]}
          onChoose={(chosen) => change({ scheme: chosen })}
        />
      </p>
      <SecretField form={form} change={change} placeholder={scheme === undefined ? 'whsec_…' : ''} />
      <p>
        <label>
          Headers, or the whole request
          <textarea
            rows={7}
            spellcheck={false}
            value={form.headers}
            placeholder={'webhook-id: evt_…\nwebhook-timestamp: 1767323045\nwebhook-signature: v1,…'}
            onInput={(event) => change({ headers: event.currentTarget.value })}
          />
        </label>
      </p>
      <BodyFields form={form} change={change} />
      {scheme?.signed.includes('{url}') === true ? (
        <p>
          <label>
            Address that it was sent to
            <input type="url" value={form.url} onInput={(event) => change({ url: event.currentTarget.value })} />
          </label>
        </p>
      ) : null}
      <p>
        <label>
          <input
            type="checkbox"
            checked={form.isNow}
            onChange={(event) => change({ isNow: event.currentTarget.checked })}
          />{' '}
          Check its age by the clock of this machine
        </label>{' '}
        <label>
          <input
            type="checkbox"
            checked={form.isDeep}
            onChange={(event) => change({ isDeep: event.currentTarget.checked })}
          />{' '}
          Search longer, also for three mistakes at once
        </label>
      </p>
    </>
  )
}

function SecretField({ form, change, placeholder }: FieldProps & { readonly placeholder: string }): JSX.Element {
  const [isShown, setShown] = useState(false)
  return (
    <p>
      <label>
        Secret{' '}
        <input
          {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
          autocomplete="new-password"
          spellcheck={false}
          value={form.secret}
          placeholder={placeholder}
          onInput={(event) => change({ secret: event.currentTarget.value })}
        />
      </label>{' '}
      <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        Show
      </button>{' '}
      <span class="small">Several are separated by blanks.</span>
    </p>
  )
}

/** The body as text, or byte for byte from a file. */
function BodyFields({ form, change }: FieldProps): JSX.Element {
  return (
    <>
      <p>
        <label>
          Body
          <textarea
            rows={7}
            spellcheck={false}
            value={form.body}
            onInput={(event) => change({ body: event.currentTarget.value, file: undefined })}
          />
        </label>
        <span class="small">
          Line ends and bytes beyond UTF-8 are lost when a text is pasted: choose a file to keep every byte.
        </span>
      </p>
      <p class="filters small">
        <label>
          Body from a file{' '}
          <input
            type="file"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              void file?.arrayBuffer().then((bytes) => change({ file: new Uint8Array(bytes), body: '' }))
            }}
          />
        </label>
        <Select
          label="Read the text as"
          value={form.encoding}
          options={[
            ['text', 'text'],
            ['base64', 'base64'],
            ['hex', 'hexadecimal digits'],
          ]}
          onChoose={(encoding) => change({ encoding: encoding as Form['encoding'] })}
        />
        {form.file === undefined ? null : `${form.file.length} bytes are kept as they arrived.`}
      </p>
    </>
  )
}
