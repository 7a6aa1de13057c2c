import { findMentions } from '@foyer/protocol/mentions'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { roomPath } from './paths.ts'
import { listShownNames, type ReadableMessage } from './queries.ts'
import type { ReadableRoom } from './readable-room.ts'
import type { Names } from './text.ts'
import { wordsFor } from './words.ts'

/** Returns the names for the mentions in messages, and the ids of the mentioned users. */
export async function namesFor(
  database: Queryable,
  { space, names: { roles, rooms } }: ReadableRoom,
  messages: readonly Pick<ReadableMessage, 'content'>[],
): Promise<{ names: Names; named: string[] }> {
  const named = [...new Set(messages.flatMap(({ content }) => findMentions(content).userIds))]
  const users = await listShownNames(database, space.id, named)
  const names: Names = {
    words: wordsFor(space.locale),
    user: (id) => users.get(id),
    role: (id) => roles.get(id),
    room: (id) => {
      const name = rooms.get(id)
      return name === undefined ? undefined : { name, path: roomPath(space.id, { id, name }) }
    },
  }
  return { names, named }
}
