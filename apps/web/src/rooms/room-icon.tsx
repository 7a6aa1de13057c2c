import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Folder, Hash, Lock, Volume2 } from 'lucide-react'

/** What kind of room it is; decoration beside its name. */
export function RoomIcon({ type, isPrivate = false }: Pick<Room, 'type'> & { isPrivate?: boolean }) {
  const Icon = isPrivate && type === RoomType.Text ? Lock : icons[type]
  return Icon === undefined ? null : <Icon aria-hidden="true" />
}

const icons: Readonly<Record<number, typeof Hash>> = {
  [RoomType.Text]: Hash,
  [RoomType.Voice]: Volume2,
  [RoomType.Category]: Folder,
}
