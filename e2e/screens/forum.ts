import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Settled } from '../settled.ts'

export const FORUM = 'questions'
export const POST = 'Is the lake hut open before the first of May, or do we carry tents for everyone?'

/** Creates a forum with tags and two posts, one of which is solved. Returns the ids of the forum and of that post. */
export async function openForum(spaceId: string, host: Settled, guest: Settled) {
  const forum = await host.client.rooms.create(spaceId, { name: FORUM, type: RoomType.Forum })
  const tags = [
    { name: 'Huts', color: 0xc7_7a_17, is_moderated: false },
    { name: 'Routes over the ridge', color: null, is_moderated: true },
  ]
  const guidelines = 'One question per **post**.'
  const changed = await host.client.rooms.update(spaceId, forum.id, { forum: { guidelines, tags } })
  const threads = guest.client.api(ThreadRooms)
  const ids = (changed.forum?.tags ?? []).slice(0, 1).map(({ id }) => id)
  const post = await threads.create(forum.id, { title: POST, content: 'The door was locked.', tags: ids })
  await host.client.messages.create(post.id, { content: 'From May on.' })
  await threads.create(forum.id, { title: 'Bus back', content: 'When does it leave?' })
  return { forumId: forum.id, postId: post.id }
}
