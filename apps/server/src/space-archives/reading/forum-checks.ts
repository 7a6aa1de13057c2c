import { RoomType } from '@foyer/protocol/rooms'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import { foldName } from '@foyer/protocol/words'
import type { ArchivedRoom } from '../format.ts'

/** Returns the first problem with the rooms' forum settings and tags; undefined if there is none. */
export function problemOfForums(rooms: readonly ArchivedRoom[]): string | undefined {
  const wrong = rooms.find(({ type, forum }) => (type === RoomType.Forum) !== (forum !== undefined))
  if (wrong !== undefined) return `the room ${wrong.name} has settings of a forum, or none, unlike its type`
  const tags = rooms.flatMap(({ forum }) => forum?.tags ?? [])
  if (new Set(tags.map(({ id }) => id)).size < tags.length) return 'tags have an id twice'
  if (!tags.every(({ name }) => isFitTitle(name))) return 'a tag has marks that do not fit into a line'
  const isTwice = rooms.some(({ forum }) => {
    const names = forum?.tags.map(({ name }) => foldName(name)) ?? []
    return new Set(names).size < names.length
  })
  return isTwice ? 'a forum has a tag twice' : undefined
}
