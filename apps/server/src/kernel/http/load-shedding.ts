import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { LoadGuard } from '../limits/load-guard.ts'

/** Paths that are answered under any load: operators and load balancers must see the state of the server. */
const ALWAYS_ANSWERED: readonly string[] = ['/api/health', '/metrics']
const MIN_RETRY_SECONDS = 1
const RETRY_SPREAD_SECONDS = 4

/** Refuses requests early while the event loop is too far behind to answer any in time. */
export function shedLoad(guard: Pick<LoadGuard, 'isOverwhelmed'>, request: FastifyRequest): void {
  if (!guard.isOverwhelmed || ALWAYS_ANSWERED.includes(request.routeOptions.url ?? '')) return
  const seconds = MIN_RETRY_SECONDS + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)
  throw new ApiError('unavailable', undefined, { 'retry-after': `${seconds}`, connection: 'close' })
}
