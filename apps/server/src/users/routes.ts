import { CurrentUser, UpdateCurrentUserBody, User, UsernameParams, UserParams } from '@foyer/protocol/users'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { updateCurrentUser } from './actions.ts'
import { findUserByName, findUsers } from './queries.ts'

export interface UserDeps {
  database: Database
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
