import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { CreateThreadBody } from '@foyer/protocol/thread-rooms'
import { accessChannel } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { createMessage } from '#src/messages/sending.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { accessThread } from '../access.ts'
import { createThread, takeBackThread } from './threads.ts'

type Deps = SendDeps & { database: Database }

export interface StartRequest {
  body: CreateThreadBody
  /** Files uploaded with the request. They come before the uploads that the body names. */
  files: readonly SpooledFile[]
}

/**
 * Begins a thread with its first message, which a post of a forum needs.
 * @throws ApiError as `createThread` and `createMessage`; there is no thread then
 */
export async function startThread(deps: Deps, access: RoomAccess, start: StartRequest): Promise<Place> {
  const { title, message_id, quiet_minutes, content, attachment_ids, tags } = start.body
  const fileIds = attachment_ids ?? []
  const hasMessage = (content ?? '') !== '' || fileIds.length + start.files.length > 0
  if (!hasMessage && access.room.forum !== undefined) throw new ApiError('empty_message')
  if (fileIds.length + start.files.length > MAX_MESSAGE_FILES) throw new ApiError('too_many_files')
  const place = await createThread(deps, access, {
    title,
    starterMessageId: message_id ?? null,
    quietMinutes: quiet_minutes,
    tags,
    fileIds,
  })
  if (hasMessage) await sayFirst(deps, access.caller, place, start)
  return place
}

/** Sends the first message of a thread. If it is refused, there is no thread either. */
async function sayFirst(
  deps: Deps,
  caller: Caller,
  { channelId }: Place,
  { body, files }: StartRequest,
): Promise<void> {
  const { content = null, attachment_ids = null, attachments = null } = body
  const enter = () => accessChannel(deps, caller, { roomId: channelId }, Permission.SendMessages)
  const sent = { body: { content, attachment_ids, attachments }, files }
  try {
    await createMessage(deps, { access: await enter(), enter }, sent)
  } catch (error) {
    const isHeld = error instanceof ApiError && error.code === 'held_for_review'
    if (error instanceof ApiError && !isHeld)
      await takeBackThread(deps, await accessThread(deps, caller, channelId), attachment_ids ?? [])
    throw error
  }
}
