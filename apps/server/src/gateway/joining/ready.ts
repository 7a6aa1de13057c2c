import type { Conversation } from '@foyer/protocol/conversations'
import type { Ready } from '@foyer/protocol/events'
import { limits, MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { UserStatus } from '@foyer/protocol/presence'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { listCalls } from '#src/calls/queries.ts'
import type { Place } from '#src/channels/place.ts'
import type { Config } from '#src/config.ts'
import { listConversations } from '#src/conversations/queries.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { type ChannelHead, listReadChannels, type ReadChannels } from '#src/messages/read-states/queries.ts'
import { listSettings } from '#src/notifications/queries.ts'
import { listBlocks } from '#src/people/friends/block-queries.ts'
import { listFriends } from '#src/people/friends/queries.ts'
import { listFriendRequests } from '#src/people/friends/request-queries.ts'
import { listWaitingSpaces } from '#src/spaces/door/queries.ts'
import { completeSpaceStates, type KnownSpace } from '#src/spaces/state.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import { iceServersFor } from '#src/voice/ice-servers.ts'
import type { Connection } from '../connections/connection.ts'

/**
 * Loads the state a client renders first: everything the caller may see now.
 * @param options `known`: the spaces to send in READY, in the state in which the connection was subscribed to them. Later
 * changes reach it as events
 */
export async function loadReady(
  { database, version, config }: { database: Database; version: string; config: Pick<Config, 'voice'> },
  caller: Caller,
  { connection, known }: { connection: Pick<Connection, 'id' | 'hasForums'>; known: readonly KnownSpace[] },
): Promise<Omit<Ready, 'presences' | keyof UserStatus>> {
  const userId = caller.user.id
  const { bulk } = database
  const [spaces, waiting, conversations, friends, requests, blocks, settings] = await Promise.all([
    known.length === 0 ? [] : completeSpaceStates(bulk, userId, known),
    listWaitingSpaces(bulk, userId),
    listConversations(bulk, userId),
    listFriends(bulk, userId),
    listFriendRequests(bulk, userId, 'either'),
    listBlocks(bulk, userId),
    listSettings(bulk, userId, { forums: connection.hasForums }),
  ])
  const places = [...spaces.flatMap(placesOf), ...conversations.map(placeOfConversation)]
  const conversationIds = conversations.map(({ id }) => id)
  const [{ reads, heads }, calls, voice_states] = await Promise.all([
    listReadChannels(bulk, userId, places),
    listCalls(bulk, conversationIds),
    listVoiceStates(bulk, conversationIds),
  ])
  return {
    user: caller.user,
    spaces: spaces.map((space) => ({ ...space, rooms: space.rooms.map((room) => withHead(room, heads)) })),
    waiting_spaces: waiting,
    conversations,
    friends,
    friend_requests: requests,
    blocks,
    read_states: reads,
    notification_settings: settings,
    calls,
    voice_states,
    ice_servers: iceServersFor(userId, config.voice, Date.now()),
    session_id: connection.id,
    server_time: new Date().toISOString(),
    server: { version, limits: wireLimits },
  }
}

const NO_HEAD: ChannelHead = { last_message_id: null, last_seq: 0 }

function withHead(room: Room, heads: ReadChannels['heads']): Room {
  return { ...room, ...(heads.get(room.id) ?? NO_HEAD) }
}

/** Returns the places of the rooms that the member may view. */
export function placesOf({ id, rooms }: SpaceState): Place[] {
  return rooms.map((room) => ({ tenantId: id, channelId: room.id }))
}

function placeOfConversation({ id }: Conversation): Place {
  return { tenantId: id, channelId: id }
}

/** Limits under their names on the wire, in snake case. */
const wireLimits = Object.fromEntries(
  Object.entries({ ...limits, maxBodyBytes: MAX_BODY_BYTES }).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]),
)
