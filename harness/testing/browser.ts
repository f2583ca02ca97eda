// Where the browser for the tests of pages is: Debian's chromium.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of the browser; undefined if none is installed: then print that, and skip. */
export const browserPath: string | undefined = (process.env['PATH'] ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => existsSync(path))
