import { FollowRemoteRoomBody } from '@foyer/protocol/follows'
import { RoomParams } from '@foyer/protocol/rooms'
import { Webhook } from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessManagedRoom } from '../webhooks/access.ts'
import { type PresentationDeps, shownWebhook } from '../webhooks/presentation.ts'
import { followRemoteRoom, type RemoteFollowDeps } from './actions.ts'
import { type CallbackDeps, callbackRoutes } from './callback-routes.ts'

type Deps = RemoteFollowDeps & PresentationDeps & CallbackDeps

/** Routes of rooms that follow announcement rooms of other servers. */
export function remoteFollowRoutes(app: App, deps: Deps): void {
  callbackRoutes(app, deps)
  app.post(
    '/api/rooms/:roomId/remote-follows',
    {
      schema: {
        tags: ['Webhooks'],
        summary: 'Follow Announcement Room of Another Server',
        params: RoomParams,
        body: FollowRemoteRoomBody,
        response: { 201: Webhook },
      },
    },
    async (request, reply) => {
      const access = await accessManagedRoom(deps, request.caller, request.params.roomId)
      const { url } = await readBody(request)
      const following = { access, ownOrigins: ownOriginsOf(deps.config.publicUrl, request) }
      const webhook = await followRemoteRoom(deps, following, url)
      return reply.code(201).send(await shownWebhook(deps, request, webhook))
    },
  )
}

function ownOriginsOf(publicUrl: string | undefined, { protocol, host }: FastifyRequest): string[] {
  return [...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]), `${protocol}://${host}`]
}
