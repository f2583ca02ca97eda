import { service } from './define.js'

/** ERR: how the API refuses. */
export const errors = {
  'ERR-001': service.must(
    '#errors',
    'The API answers errors with an error carrying `code`, `message` and `fix` (what to do about it).',
  ),
  'ERR-002': service.must(
    '#errors',
    'The HTTP status is the response status of the error: a refused request gets an error status.',
  ),
  'ERR-003': service.should(
    '#errors',
    'A malformed request (broken JSON, wrong types, oversize or odd values) gets a 4xx, never a 5xx.',
  ),
  'ERR-004': service.must('#errors', 'A request for an unknown webhook, delivery or email is answered with an error.'),
  'ERR-005': service.must('#errors', 'A refused credential gets an error carrying `code`, `message` and `fix`.'),
} as const

/** VER: versioning. */
export const versioning = {
  'VER-001': service.must('#versioning', 'The API path prefix is `/v1`.'),
  'VER-002': service.untestable('#versioning', 'Version policy and deprecation rules.', 'not shown'),
} as const
