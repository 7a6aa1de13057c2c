import { CreateUploadBody, RoomAttachmentParams, Upload } from '@foyer/protocol/attachments'
import { Permission } from '@foyer/protocol/permissions'
import { RoomParams, RoomType } from '@foyer/protocol/rooms'
import { Type } from 'typebox'
import type { FileDeps } from '#src/files/actions.ts'
import { cancelUpload, reserveUpload } from '#src/files/uploads.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessRoom, type RoomAccess } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'

export type RoomUploadDeps = FileDeps & { snapshots: Snapshots }

const tags = ['Attachments']

export function uploadRoutes(app: App, deps: RoomUploadDeps): void {
  createRoute(app, deps)
  cancelRoute(app, deps)
}

function createRoute(app: App, deps: RoomUploadDeps): void {
  const schema = {
    tags,
    summary: 'Create Upload',
    params: RoomParams,
    body: CreateUploadBody,
    response: { 200: Upload },
  }
  app.post('/api/rooms/:roomId/attachments', { schema }, async (request) => {
    const enter = () =>
      accessRoom(deps.snapshots, request.caller, request.params.roomId, Permission.SendMessages)
    await enter()
    const body = await readBody(request)
    // A body may take minutes to arrive: who was thrown out meanwhile takes no room any more.
    const access = await enter()
    if (access.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
    return reserveUpload(deps, { ...senderOf(access), purpose: 'message', where: 'bucket-or-own' }, body)
  })
}

function cancelRoute(app: App, deps: RoomUploadDeps): void {
  const schema = {
    tags,
    summary: 'Cancel Upload',
    params: RoomAttachmentParams,
    response: { 204: Type.Null() },
  }
  app.delete('/api/rooms/:roomId/attachments/:attachmentId', { schema }, async (request, reply) => {
    const access = await accessRoom(deps.snapshots, request.caller, request.params.roomId)
    const isCancelled = await cancelUpload(deps, senderOf(access), request.params.attachmentId)
    if (!isCancelled) throw new ApiError('unknown_attachment')
    return reply.code(204).send(null)
  })
}

function senderOf({ spaceId, room, caller }: RoomAccess) {
  return { tenantId: spaceId, channelId: room.id, ownerId: caller.user.id }
}
