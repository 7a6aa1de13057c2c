import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Folder, Hash, Lock, Volume2 } from 'lucide-react'
import { useIsPrivate } from './use-is-private.ts'

/** What kind of room it is, and whether it is private; decoration beside its name. */
export function RoomSign({ room }: { room: Room }) {
  return <RoomIcon type={room.type} isPrivate={useIsPrivate(room)} />
}

/** The same where it is known, or is no room yet. */
export function RoomIcon({ type, isPrivate = false }: Pick<Room, 'type'> & { isPrivate?: boolean }) {
  const Icon = isPrivate && type === RoomType.Text ? Lock : icons[type]
  return Icon === undefined ? null : <Icon aria-hidden="true" />
}

const icons: Readonly<Record<number, typeof Hash>> = {
  [RoomType.Text]: Hash,
  [RoomType.Voice]: Volume2,
  [RoomType.Category]: Folder,
}
