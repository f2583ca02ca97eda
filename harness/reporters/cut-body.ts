/** Splits a body of a record that was cut for the report into its beginning and the number of all its bytes; undefined for a whole one. */
export function cutBody(body: string | undefined): { readonly beginning: string; readonly bytes: number } | undefined {
  const [mark, bytes] = /… \((\d+) bytes\)$/.exec(body?.slice(-40) ?? '') ?? []
  return mark === undefined ? undefined : { beginning: (body ?? '').slice(0, -mark.length), bytes: Number(bytes) }
}
