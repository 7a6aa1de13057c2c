import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Hash, Lock, Megaphone, MessagesSquare, Volume2 } from 'lucide-react'
import { useIsPrivate } from './use-is-private.ts'

/** The icon of a room: its type, and a lock if it is private. Decoration next to its name. */
export function RoomSign({ room }: { room: Room }) {
  return <RoomIcon room={room} isPrivate={useIsPrivate(room)} />
}

interface RoomIconProps {
  room: Pick<Room, 'type' | 'announces'>
  isPrivate?: boolean
}

/** Like `RoomSign`, for callers that know whether the room is private, or have no room yet. Categories have no icon. */
export function RoomIcon({ room: { type, announces }, isPrivate = false }: RoomIconProps) {
  const Text = announces ? Megaphone : isPrivate ? Lock : Hash
  const Icon = type === RoomType.Text ? Text : icons[type]
  return Icon === undefined ? null : <Icon aria-hidden="true" />
}

const icons: Readonly<Record<number, typeof Hash>> = {
  [RoomType.Voice]: Volume2,
  [RoomType.Forum]: MessagesSquare,
}
