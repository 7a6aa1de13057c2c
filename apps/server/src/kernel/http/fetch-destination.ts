import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../errors.ts'

/** Fetch destinations whose responses a browser executes, or allows to change a page. */
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
 * Refuses a browser request that would execute an uploaded file. Files have the page's own origin, so as scripts
 * they would act for the user. Clients without these headers execute nothing.
 * @throws ApiError 403
 */
export function refuseExecution(headers: IncomingHttpHeaders): void {
  const destination = headers['sec-fetch-dest']
  const isRun = typeof destination === 'string' && EXECUTING.has(destination.toLowerCase())
  if (isRun || headers['service-worker'] !== undefined) throw new ApiError('not_executable')
}
