import { RoomType } from '@foyer/protocol/rooms'
import { ApiError } from '#src/kernel/errors.ts'
import type { ChannelAccess } from './access.ts'

/** @throws ApiError 400 for a category, and for a forum itself, whose messages are in its posts */
export function checkTakesMessages(access: Pick<ChannelAccess, 'room' | 'place'>): void {
  if (access.room?.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
  checkNotForum(access)
}

/** @throws ApiError 400 for a forum itself, but not for its posts */
export function checkNotForum({ room, place }: Pick<ChannelAccess, 'room' | 'place'>): void {
  if (room?.room.type === RoomType.Forum && place.parentId === undefined)
    throw new ApiError('not_a_message_room')
}
