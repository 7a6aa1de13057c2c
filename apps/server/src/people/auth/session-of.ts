import type { FastifyRequest } from 'fastify'
import { ApiError } from '#src/kernel/errors.ts'

/** The caller's session and its user. */
export interface OwnSession {
  userId: string
  sessionId: string
}

/** Returns the caller's session. Callers of human-only routes always have one. */
export function sessionOf({ caller }: FastifyRequest): OwnSession {
  if (caller.kind === 'bot') throw new ApiError('bots_not_allowed')
  return { userId: caller.user.id, sessionId: caller.sessionId }
}
