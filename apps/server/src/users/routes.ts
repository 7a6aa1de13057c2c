import {
  CurrentUser,
  DeleteCurrentUserBody,
  UpdateCurrentUserBody,
  User,
  UsernameParams,
  UserParams,
} from '@foyer/protocol/users'
import { Type } from 'typebox'
import type { Bus } from '#src/kernel/bus.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { deleteAccount, updateCurrentUser } from './actions.ts'
import type { PasswordCheckDeps } from './password-check.ts'
import { findUserByName, findUsers } from './queries.ts'

export interface UserDeps extends PasswordCheckDeps {
  bus: Bus
}

const tags = ['Users']

export function userRoutes(app: App, deps: UserDeps): void {
  app.get(
    '/api/users/@me',
    { schema: { tags, summary: 'Get Current User', response: { 200: CurrentUser } } },
    async (request) => request.caller.user,
  )

  app.patch(
    '/api/users/@me',
    {
      schema: {
        tags,
        summary: 'Update Current User',
        body: UpdateCurrentUserBody,
        response: { 200: CurrentUser },
      },
    },
    async (request) => updateCurrentUser(deps.database, request.caller.user, await readBody(request)),
  )

  app.delete(
    '/api/users/@me',
    {
      config: human,
      schema: {
        tags,
        summary: 'Delete Account',
        body: DeleteCurrentUserBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { password } = await readBody(request)
      await deleteAccount(deps, request.caller.user.id, password)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/users/:userId',
    { schema: { tags, summary: 'Get User', params: UserParams, response: { 200: User } } },
    async (request) => {
      const [user] = await findUsers(deps.database, [request.params.userId])
      if (user === undefined) throw new ApiError('unknown_user')
      return user
    },
  )

  app.get(
    '/api/users/by-username/:username',
    {
      config: human,
      schema: { tags, summary: 'Get User by Username', params: UsernameParams, response: { 200: User } },
    },
    async (request) => {
      const user = await findUserByName(deps.database, request.params.username)
      if (user === undefined) throw new ApiError('unknown_user')
      return user
    },
  )
}
