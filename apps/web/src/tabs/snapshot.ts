import type { Ready } from '@foyer/protocol/events'
import type { User } from '@foyer/protocol/users'
import type { VoiceState } from '@foyer/protocol/voice'
import type { State } from '#src/store/state.ts'
import { serverTime } from '#src/ui/server-clock.ts'

/** Of a READY, what does not change afterwards, and nothing is kept of. */
export type Greeting = Pick<Ready, 'ice_servers' | 'session_id' | 'server'>

/** What a READY would tell now of what is known here; undefined before there was one. */
export function readyOf(state: State, greeting: Greeting | undefined): Ready | undefined {
  if (state.me === null || greeting === undefined) return undefined
  const { ice_servers, session_id, server } = greeting
  const voices = Object.values(state.voices).flat()
  return {
    ice_servers,
    session_id,
    server,
    server_time: serverTime(),
    user: state.me,
    spaces: spacesOf(state, voices),
    conversations: Object.values(state.conversations).map((conversation) => ({
      ...conversation,
      recipients: conversation.recipients.map((user) => latest(state, user)),
    })),
    friends: Object.values(state.friends).map((friend) => ({ ...friend, user: latest(state, friend.user) })),
    friend_requests: Object.values(state.friendRequests),
    blocks: Object.values(state.blocks).map((block) => ({ ...block, user: latest(state, block.user) })),
    read_states: readStatesOf(state),
    notification_settings: Object.values(state.notificationSettings),
    presences: Object.values(state.presences),
    voice_states: voices.filter(({ space_id }) => space_id === null),
    calls: Object.values(state.calls),
  }
}

function spacesOf(state: State, voices: readonly VoiceState[]): Ready['spaces'] {
  const rooms = Object.groupBy(Object.values(state.rooms), ({ space_id }) => space_id)
  return Object.values(state.spaces).map((space) => ({
    ...space,
    rooms: rooms[space.id] ?? [],
    voice_states: voices.filter(({ space_id }) => space_id === space.id),
  }))
}

/** Of rooms that are out of sight a READY tells nothing. */
function readStatesOf({ readStates, rooms, conversations }: State): Ready['read_states'] {
  return Object.entries(readStates)
    .filter(([id]) => id in rooms || id in conversations)
    .map(([, { room_id, conversation_id, last_read_seq, unread_count, mention_count }]) => ({
      room_id,
      conversation_id,
      last_read_seq,
      unread_count,
      mention_count,
    }))
}

/** As they are known now; what holds them was told earlier. */
function latest({ users }: State, user: User): User {
  return users[user.id] ?? user
}
