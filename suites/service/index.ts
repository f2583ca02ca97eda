import type { ServiceCase } from '../../harness/authoring.js'
import { always } from './always.js'
import { retries } from './retries.js'

/** Every case for services, in run order; the always-on checks come last. */
export const serviceCases: readonly ServiceCase[] = [...retries, ...always]
