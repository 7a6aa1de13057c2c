import type { FastifyRequest } from 'fastify'
import { ApiError } from '#src/kernel/errors.ts'

/** Whose session a request is made with, and which. */
export interface OwnSession {
  userId: string
  sessionId: string
}

/** On human-only routes everybody has a session. */
export function sessionOf({ caller }: FastifyRequest): OwnSession {
  if (caller.kind === 'bot') throw new ApiError('bots_not_allowed')
  return { userId: caller.user.id, sessionId: caller.sessionId }
}
