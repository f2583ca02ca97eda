/** Whether every row of a matrix is tried: by `npm run lab -- whole`, each night. `npm test` tries a few rows. */
export const isWhole = process.env['WHOLE'] !== undefined

/** The rows of a matrix that are tried: `few` of them, or those of both lists where the whole is tried. */
export function some<T>(few: readonly T[], rest: readonly T[]): readonly T[] {
  return isWhole ? [...few, ...rest] : few
}
