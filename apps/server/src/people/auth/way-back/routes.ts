import { TakeBackBody, WayBack, WayBackBody } from '@foyer/protocol/way-back'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { AuthDeps } from '../deps.ts'
import { showWayBack, takeBack } from './actions.ts'

const tags = ['Authentication']
const config = { access: 'public', limits: ['login'] } as const

/** Routes of the link "This was not me" in mails. */
export function wayBackRoutes(app: App, deps: AuthDeps): void {
  app.post(
    '/api/auth/way-back/find',
    {
      config,
      schema: {
        tags,
        summary: 'Find Way Back',
        description: 'Shows what the link in a mail about a change would undo. Nothing changes.',
        body: WayBackBody,
        response: { 200: WayBack },
      },
    },
    async (request) => showWayBack(deps, (await readBody(request)).token),
  )

  app.post(
    '/api/auth/way-back',
    {
      config,
      schema: {
        tags,
        summary: 'Take Back Change',
        description:
          'Restores the email address and the second factor before the change, sets the password, and ends all sessions.',
        body: TakeBackBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await takeBack(deps, await readBody(request), request.ip)
      return reply.code(204).send(null)
    },
  )
}
