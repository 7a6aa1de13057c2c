import type { ForumTag } from '@foyer/protocol/forums'
import { RoomType } from '@foyer/protocol/rooms'
import type { Person } from './tenant.ts'
import type { ThreadedRoom, Threads } from './threads.ts'

const TAGS = ['Question', 'Idea', 'Bug']

/** Creates a forum with tags that its posts get at random. */
export async function openForum(
  { client }: Person,
  spaceId: string,
  threads: Threads,
  name = 'Forum',
): Promise<ThreadedRoom> {
  const { id } = await client.rooms.create(spaceId, { name, type: RoomType.Forum })
  threads.addForum(id)
  const tags = TAGS.map((tag) => ({ name: tag }))
  const { forum } = await client.rooms.update(spaceId, id, { forum: { tags } })
  return { id, spaceId, isForum: true, tags: idsOf(forum?.tags ?? []) }
}

/** Renames the tags that posts get at random, and replaces one more tag. @returns the id of the new tag */
export async function changeTags({ client }: Person, room: ThreadedRoom, mark: string): Promise<string> {
  const kept = room.tags.map((id, index) => ({ id, name: `Tag ${index} ${mark}` }))
  const tags = [...kept, { name: `Passing ${mark}` }]
  const { forum } = await client.rooms.update(room.spaceId, room.id, { forum: { tags } })
  return idsOf(forum?.tags ?? []).at(-1) ?? ''
}

function idsOf(tags: readonly ForumTag[]): string[] {
  return tags.map(({ id }) => id)
}
