import { DeleteCurrentUserBody } from '@foyer/protocol/users'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import type { Config } from '#src/config.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import { renewClaimLink } from '#src/operating/operators/claim-link.ts'
import { sessionOf } from '#src/people/auth/session-of.ts'
import { clearTokenCookies } from '#src/people/auth/token-cookies.ts'
import { type AccountDeps, deleteAccount } from './actions.ts'

export function accountRoutes(app: App, deps: AccountDeps & { config: Config; log: Logger }): void {
  app.delete(
    '/api/users/@me',
    {
      config: accountCare,
      schema: {
        tags: ['Users'],
        summary: 'Delete Account',
        body: DeleteCurrentUserBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteAccount(deps, sessionOf(request), await readBody(request))
      await renewClaimLink(deps, app.listeningOrigin)
      clearTokenCookies(request, reply, deps.config)
      return reply.code(204).send(null)
    },
  )
}
