import { ChangePasswordBody, OwnAddress } from '@foyer/protocol/auth'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import { maskAddress } from '#src/kernel/mail/addresses.ts'
import { changePassword } from './actions/password-change.ts'
import { clientOf } from './client.ts'
import type { AuthRouteDeps } from './deps.ts'
import { findEmail } from './queries.ts'
import { sessionOf } from './session-of.ts'

const tags = ['Authentication']

/** Routes for people's own credentials. */
export function ownAccountRoutes(app: App, deps: AuthRouteDeps): void {
  app.get(
    '/api/auth/address',
    { config: accountCare, schema: { tags, summary: 'Get Own Address', response: { 200: OwnAddress } } },
    async (request) => {
      const email = await findEmail(deps.database, request.caller.user.id)
      if (email === undefined) throw new ApiError('not_found')
      return { masked: maskAddress(email) }
    },
  )

  app.patch(
    '/api/users/@me/password',
    {
      config: { ...accountCare, limits: ['login'] },
      schema: { tags, summary: 'Change Password', body: ChangePasswordBody, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const given = { body: await readBody(request), client: clientOf(request, deps.config) }
      await changePassword(deps, sessionOf(request), given)
      return reply.code(204).send(null)
    },
  )
}
