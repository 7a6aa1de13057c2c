import { isConversation, type Place } from '#src/channels/place.ts'
import { viewOf } from '#src/spaces/snapshots.ts'
import type { ContentDeps } from '../content-deps.ts'
import { findConversationName } from './queries.ts'

/** Names a room or a conversation as the person sees it now. One that they can no longer see has no name. */
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

async function roomName(
  { snapshots }: ContentDeps,
  userId: string,
  { tenantId, channelId }: Place,
): Promise<string> {
  const { snapshot, member } = await snapshots.findMembership(tenantId, userId)
  if (snapshot === undefined || member === undefined) return 'A space you have left'
  const room = viewOf(snapshot, member)(channelId) ? snapshot.rooms.get(channelId) : undefined
  return room === undefined
    ? `${snapshot.space.name}: a room you no longer see`
    : `${snapshot.space.name}: #${room.name}`
}
