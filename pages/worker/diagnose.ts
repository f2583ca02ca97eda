// Searches for the cause of a signature that does not verify, off the thread that draws the page: the code of `conformance diagnose`.
import {
  diagnose,
  diagnoseByScheme,
  readHeaders,
  readRequest,
  UnreadableRequest,
} from '../../harness/diagnose/index.js'
import { SignatureScheme } from '../../harness/schemes/scheme.js'
import { prepareEd25519 } from './crypto.js'
import type { DiagnoseAnswer, DiagnoseQuestion } from '../data.js'

interface Scope {
  onmessage: (message: { readonly data: DiagnoseQuestion }) => void
  postMessage(answer: DiagnoseAnswer): void
  /** Raises the error event of the worker. */
  reportError(error: unknown): void
}

const scope = globalThis as unknown as Scope
scope.onmessage = ({ data }) =>
  void answerOf(data).then(
    (answer) => scope.postMessage(answer),
    (error: unknown) => scope.reportError(error),
  )

async function answerOf({ headers, body, scheme, url, ...options }: DiagnoseQuestion): Promise<DiagnoseAnswer> {
  try {
    const request =
      body === undefined ? readRequest(Buffer.from(headers)) : { headers: readHeaders(headers), body, notes: [] }
    if (scheme?.algorithm === 'ed25519') await prepareEd25519()
    const diagnosis =
      scheme === undefined
        ? diagnose(request, options)
        : diagnoseByScheme(new SignatureScheme(scheme), request, { ...options, ...(url === undefined ? {} : { url }) })
    return { kind: 'diagnosis', diagnosis }
  } catch (error) {
    if (error instanceof UnreadableRequest) return { kind: 'unreadable', problem: error.message }
    throw error
  }
}
