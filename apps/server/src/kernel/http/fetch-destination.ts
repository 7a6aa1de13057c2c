import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../errors.ts'

/** Destinations of Fetch by which a browser runs a response, or lets it change a page. */
const EXECUTING: ReadonlySet<string> = new Set([
  'script',
  'style',
  'worker',
  'sharedworker',
  'serviceworker',
  'audioworklet',
  'paintworklet',
  'manifest',
  'json',
  'xslt',
  'speculationrules',
])

/**
 * Refuses a request of a browser that would run a stranger's file. Files come from the page's own origin: as scripts they
 * would act for the user. Clients without these headers run nothing.
 * @throws ApiError 403
 */
export function refuseExecution(headers: IncomingHttpHeaders): void {
  const destination = headers['sec-fetch-dest']
  const isRun = typeof destination === 'string' && EXECUTING.has(destination.toLowerCase())
  if (isRun || headers['service-worker'] !== undefined) throw new ApiError('not_executable')
}
