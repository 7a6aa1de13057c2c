import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '#src/kernel/outgoing/outgoing-request.ts'
import type { PresignedUpload } from '#src/kernel/storage/object-store.ts'

const TIMEOUT_MS = 5000

/** A direct upload by a page. */
export interface PageUpload {
  upload: PresignedUpload
  /** The page's origin. */
  origin: string
}

/** Sends a CORS preflight as a browser would. No answer counts as a refusal. */
export async function isPageAllowed(outgoing: Outgoing, { upload, origin }: PageUpload): Promise<boolean> {
  const headers = {
    origin,
    'access-control-request-method': upload.method,
    'access-control-request-headers': headersOf(upload),
  }
  const question = { method: 'OPTIONS', url: new URL(upload.url), headers, timeoutMs: TIMEOUT_MS } as const
  try {
    const answer = await outgoing.send(question)
    answer.body.destroy()
    return isGranted(answer, upload, origin)
  } catch (error) {
    if (error instanceof OutgoingError) return false
    throw error
  }
}

function isGranted({ status, headers }: OutgoingResponse, upload: PresignedUpload, origin: string): boolean {
  const origins = headers['access-control-allow-origin']
  const methods = listIn(headers['access-control-allow-methods'])
  const allowed = listIn(headers['access-control-allow-headers'])
  return (
    status >= 200 &&
    status < 300 &&
    (origins === '*' || origins === origin) &&
    (methods.has('*') || methods.has(upload.method.toLowerCase())) &&
    (allowed.has('*') || [...listIn(headersOf(upload))].every((name) => allowed.has(name)))
  )
}

/** Returns the headers that a preflight names. Browsers set the length themselves. */
function headersOf({ headers }: PresignedUpload): string {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  return names.filter((name) => name !== 'content-length' && name !== 'host').join(',')
}

function listIn(header = ''): Set<string> {
  return new Set(header.split(',').map((entry) => entry.trim().toLowerCase()))
}
