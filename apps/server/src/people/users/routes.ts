import { UsernameParams } from '@foyer/protocol/usernames'
import {
  CurrentUser,
  Mutual,
  UpdateCurrentUserBody,
  UpdateCurrentUserForm,
  User,
  UserParams,
} from '@foyer/protocol/users'
import { withStoredImages } from '#src/files/images/actions.ts'
import { imagesIn, textsIn } from '#src/files/images/forms.ts'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type Form, isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { updateCurrentUser } from './actions.ts'
import { listMutualFriends, listMutualSpaces, type Pair } from './mutual.ts'
import { findUserByName, findUsers } from './queries.ts'

type Deps = FileDeps & {
  /**
   * Refuses names and texts that spaces of the user do not allow.
   * @throws ApiError 403
   */
  screenProfile: (user: CurrentUser, changes: UpdateCurrentUserBody) => Promise<void>
}

const tags = ['Users']

export function userRoutes(app: App, deps: Deps): void {
  ownRoutes(app, deps)
  otherRoutes(app, deps)
}

function ownRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/users/@me',
    {
      config: { isForAccountCare: true },
      schema: { tags, summary: 'Get Current User', response: { 200: CurrentUser } },
    },
    async (request) => request.caller.user,
  )

  app.patch(
    '/api/users/@me',
    {
      config: { form: { texts: UpdateCurrentUserForm, files: ['avatar', 'banner'] } },
      schema: {
        tags,
        summary: 'Update Current User',
        body: UpdateCurrentUserBody,
        response: { 200: CurrentUser },
      },
    },
    async (request) => {
      const { user } = request.caller
      if (!isForm(request)) return updateByBody(deps, user, await readBody(request))
      await using form = await readForm(request, { maxFiles: 2, tooMany: 'invalid_multipart' })
      return await updateByForm(deps, user, form)
    },
  )
}

function otherRoutes(app: App, deps: FileDeps): void {
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
    '/api/users/:userId/mutual',
    {
      config: human,
      schema: {
        tags,
        summary: 'List Mutual Spaces and Friends',
        params: UserParams,
        response: { 200: Mutual },
      },
    },
    ({ params, caller }) => listMutual(deps, { callerId: caller.user.id, userId: params.userId }),
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

async function listMutual({ database }: FileDeps, pair: Pair): Promise<Mutual> {
  const [[user], spaces, friends] = await Promise.all([
    findUsers(database, [pair.userId]),
    listMutualSpaces(database, pair),
    listMutualFriends(database, pair),
  ])
  if (user === undefined) throw new ApiError('unknown_user')
  return { spaces, friends }
}

async function updateByBody(
  { database, screenProfile }: Deps,
  user: CurrentUser,
  body: UpdateCurrentUserBody,
): Promise<CurrentUser> {
  await screenProfile(user, body)
  return updateCurrentUser(database, user, body)
}

async function updateByForm(deps: Deps, user: CurrentUser, form: Form): Promise<CurrentUser> {
  const { remove_avatar, remove_banner, ...texts } = textsIn(form, UpdateCurrentUserForm)
  const body = {
    ...texts,
    ...(remove_avatar === 'true' && { avatar: null }),
    ...(remove_banner === 'true' && { banner: null }),
  }
  await deps.screenProfile(user, body)
  const home = { tenantId: user.id, ownerId: user.id, where: 'own' } as const
  const files = imagesIn(form, ['avatar', 'banner'])
  return withStoredImages(deps, home, files, (images) => updateCurrentUser(deps.database, user, body, images))
}
