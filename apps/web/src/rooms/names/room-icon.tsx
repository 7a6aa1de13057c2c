import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Folder, Hash, Lock, MessagesSquare, Volume2 } from 'lucide-react'
import { useIsPrivate } from './use-is-private.ts'

/** The icon of a room: its type, and a lock if it is private. Decoration next to its name. */
export function RoomSign({ room }: { room: Room }) {
  return <RoomIcon type={room.type} isPrivate={useIsPrivate(room)} />
}

/** Like `RoomSign`, for callers that know the type, or have no room yet. */
export function RoomIcon({ type, isPrivate = false }: Pick<Room, 'type'> & { isPrivate?: boolean }) {
  const Icon = isPrivate && type === RoomType.Text ? Lock : icons[type]
  return Icon === undefined ? null : <Icon aria-hidden="true" />
}

const icons: Readonly<Record<number, typeof Hash>> = {
  [RoomType.Text]: Hash,
  [RoomType.Voice]: Volume2,
  [RoomType.Category]: Folder,
  [RoomType.Forum]: MessagesSquare,
}
