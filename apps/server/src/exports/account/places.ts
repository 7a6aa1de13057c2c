import { isConversation, type Place, roomOf } from '#src/channels/place.ts'
import { viewOf } from '#src/spaces/snapshots.ts'
import { findThread } from '#src/thread-rooms/queries.ts'
import type { ContentDeps } from '../content-deps.ts'
import { findConversationName } from './queries.ts'

/**
 * Returns the name of a channel as the person sees it now, or a description such as “A space you have left” if they no
 * longer see it.
 */
export async function nameOf(deps: ContentDeps, userId: string, place: Place): Promise<string> {
  return isConversation(place) ? conversationName(deps, userId, place) : roomName(deps, userId, place)
}

async function conversationName(
  { database }: ContentDeps,
  userId: string,
  { channelId }: Place,
): Promise<string> {
  const found = await findConversationName(database, userId, channelId)
  if (found === undefined) return 'A conversation you have left'
  const { type, name, other } = found
  if (type === 1) return other === null ? 'A direct conversation' : `@${other}`
  return name ?? 'A group'
}

async function roomName({ snapshots, database }: ContentDeps, userId: string, place: Place): Promise<string> {
  const { tenantId, channelId, parentId } = place
  const roomId = roomOf(place)
  const { snapshot, member } = await snapshots.findMembership(tenantId, userId)
  if (snapshot === undefined || member === undefined) return 'A space you have left'
  const room = viewOf(snapshot, member)(roomId) ? snapshot.rooms.get(roomId) : undefined
  if (room === undefined) return `${snapshot.space.name}: a room you no longer see`
  const key = { space_id: tenantId, id: channelId }
  const thread = parentId === undefined ? undefined : await findThread(database, key)
  const name = `${snapshot.space.name}: #${room.name}`
  return thread === undefined ? name : `${name}: ${thread.title}`
}
