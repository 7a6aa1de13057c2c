import { FollowRoomBody, RoomFollowers } from '@foyer/protocol/follows'
import { Permission } from '@foyer/protocol/permissions'
import { RoomParams } from '@foyer/protocol/rooms'
import { Webhook } from '@foyer/protocol/webhooks'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { type PresentationDeps, shownWebhook } from '../webhooks/presentation.ts'
import { accessSource, type FollowDeps, followRoom } from './actions.ts'
import { countFollows, countSubscribers } from './queries.ts'

type Deps = FollowDeps & PresentationDeps

const tags = ['Webhooks']

/** Routes of announcement rooms, which other rooms can follow. */
export function followRoutes(app: App, deps: Deps): void {
  app.post(
    '/api/rooms/:roomId/followers',
    {
      schema: {
        tags,
        summary: 'Follow Announcement Room',
        params: RoomParams,
        body: FollowRoomBody,
        response: { 201: Webhook },
      },
    },
    async (request, reply) => {
      const source = await accessSource(deps, request.caller, request.params.roomId)
      const { room_id } = await readBody(request)
      const webhook = await followRoom(deps, source, room_id)
      return reply.code(201).send(await shownWebhook(deps, request, webhook))
    },
  )
  app.get(
    '/api/rooms/:roomId/followers',
    {
      schema: {
        tags,
        summary: 'Count Followers of Announcement Room',
        params: RoomParams,
        response: { 200: RoomFollowers },
      },
    },
    async (request) => {
      const { room, spaceId } = await accessSource(
        deps,
        request.caller,
        request.params.roomId,
        Permission.ManageChannels,
      )
      const source = { spaceId, roomId: room.id }
      const counts = [countFollows(deps.database, source), countSubscribers(deps.database, source)]
      const [here = 0, elsewhere = 0] = await Promise.all(counts)
      return { count: here + elsewhere }
    },
  )
}
