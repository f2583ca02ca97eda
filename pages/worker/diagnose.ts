// Searches for the cause of a signature that does not verify, off the thread that draws the page: the code of `conformance diagnose`.
import {
  diagnose,
  diagnoseByScheme,
  readHeaders,
  readRequest,
  UnreadableRequest,
} from '../../harness/diagnose/index.js'
import { SignatureScheme } from '../../harness/schemes/scheme.js'
import type { DiagnoseAnswer, DiagnoseQuestion } from '../data.js'

interface Scope {
  onmessage: (message: { readonly data: DiagnoseQuestion }) => void
  postMessage(answer: DiagnoseAnswer): void
}

const scope = globalThis as unknown as Scope
scope.onmessage = ({ data }) => scope.postMessage(answerOf(data))

function answerOf({ headers, body, scheme, url, ...options }: DiagnoseQuestion): DiagnoseAnswer {
  try {
    const request =
      body === undefined ? readRequest(Buffer.from(headers)) : { headers: readHeaders(headers), body, notes: [] }
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
