import { CreateUploadBody, Upload } from '@foyer/protocol/attachments'
import { Capability } from '@foyer/protocol/capabilities'
import type { ChannelParams } from '@foyer/protocol/channels'
import { has, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Uuid } from '@foyer/protocol/schema'
import { Type } from 'typebox'
import { accessChannel, type ChannelAccess, type ChannelDeps } from '#src/channels/access.ts'
import { isConversation } from '#src/channels/place.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { cancelUpload, reserveUpload } from '#src/files/objects/uploads.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'

export type UploadRouteDeps = FileDeps & ChannelDeps

const tags = ['Attachments']

export function uploadRoutes(app: App, deps: UploadRouteDeps): void {
  forEachChannel((kind) => {
    createRoute(app, deps, kind)
    cancelRoute(app, deps, kind)
  })
}

function createRoute(app: App, deps: UploadRouteDeps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Create Upload',
    params: params({}),
    body: CreateUploadBody,
    response: { 200: Upload },
  }
  app.post(`${base}/attachments`, { schema }, async (request) => {
    const enter = () => accessToAttach(deps, request.caller, request.params)
    await enter()
    const body = await readBody(request)
    // A body may take minutes to arrive: check access again before reserving storage.
    const access = await enter()
    if (access.room?.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
    const where = isConversation(access.place) ? 'own' : 'bucket-or-own'
    return reserveUpload(deps, { ...senderOf(access), purpose: 'message', where }, body)
  })
}

function cancelRoute(app: App, deps: UploadRouteDeps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Cancel Upload',
    params: params({ attachmentId: Uuid() }),
    response: { 204: Type.Null() },
  }
  app.delete(`${base}/attachments/:attachmentId`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params)
    const isCancelled = await cancelUpload(deps, senderOf(access), request.params.attachmentId)
    if (!isCancelled) throw new ApiError('unknown_attachment')
    return reply.code(204).send(null)
  })
}

/** @throws ApiError with the errors of `accessChannel`, and 403 without AttachFiles */
async function accessToAttach(
  deps: UploadRouteDeps,
  caller: Caller,
  params: ChannelParams,
): Promise<ChannelAccess> {
  const access = await accessChannel(deps, caller, params, Permission.SendMessages)
  if (!has(access.capabilities, Capability.AttachFiles)) throw new ApiError('missing_permission')
  return access
}

function senderOf({ place, caller }: ChannelAccess) {
  return { ...place, ownerId: caller.user.id }
}
