/** Returns whether a status can mean that there are too many of something: the interface names none. */
export function isLimit(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}
