import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Folder, Hash, Volume2 } from 'lucide-react'

/** What kind of room it is; decoration beside its name. */
export function RoomIcon({ type }: Pick<Room, 'type'>) {
  const Icon = type === RoomType.Category ? Folder : type === RoomType.Voice ? Volume2 : Hash
  return <Icon aria-hidden="true" />
}
