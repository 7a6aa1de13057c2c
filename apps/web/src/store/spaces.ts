import type { Events } from '@foyer/protocol/events'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { newerRoom } from './channels.ts'
import { withUnseenCounted } from './messages/read-states.ts'
import { withGap } from './messages/timeline.ts'
import { withoutRoom } from './rooms.ts'
import { type State, without } from './state.ts'
import { withVoices } from './voice-states.ts'

export const spaceReducers = {
  /** The user has just joined an unknown space, so its earlier messages are treated as read. */
  SPACE_CREATE: (state: State, space: Events['SPACE_CREATE']): State => {
    if (space.id in state.spaces) return withReplacedSpace(state, space)
    return withSpace(withoutReadStates(state, space.rooms), space)
  },
  SPACE_UPDATE: (state: State, space: Events['SPACE_UPDATE']): State => {
    const known = state.spaces[space.id]
    if (known === undefined) return state
    return { ...state, spaces: { ...state.spaces, [space.id]: { ...known, ...space } } }
  },
  SPACE_DELETE: (state: State, { space_id }: Events['SPACE_DELETE']): State => withoutSpace(state, space_id),
  // These events change no state: the pages that show their data subscribe to them.
  AUDIT_LOG_ENTRY_CREATE: (state: State): State => state,
  AUTOMOD_RULES_UPDATE: (state: State): State => state,
  HELD_MESSAGES_UPDATE: (state: State): State => state,
  REPORTS_UPDATE: (state: State): State => state,
  APPEALS_UPDATE: (state: State): State => state,
  SPACE_INVITE_CREATE: (state: State): State => state,
  SPACE_INVITE_DELETE: (state: State): State => state,
  SPACE_BAN_CREATE: (state: State): State => state,
  SPACE_BAN_DELETE: (state: State): State => state,
  SPACE_BUCKET_CREATE: (state: State): State => state,
  SPACE_BUCKET_UPDATE: (state: State): State => state,
  SPACE_BUCKET_DELETE: (state: State): State => state,
}

/** Adds or replaces a space with its rooms and voice states. */
export function withSpace(state: State, { rooms, voice_states, ...space }: SpaceState): State {
  const gone = Object.values(state.rooms).filter(
    (room) => room.space_id === space.id && !rooms.some((kept) => kept.id === room.id),
  )
  const kept = gone.reduce((before, room) => withoutRoom(before, room.id), state)
  const updated = {
    ...kept,
    spaces: { ...kept.spaces, [space.id]: space },
    waitingSpaces: without(kept.waitingSpaces, space.id),
    rooms: { ...kept.rooms, ...Object.fromEntries(rooms.map((room) => [room.id, room])) },
    voices: rooms.reduce((voices, { id }) => without(voices, id), kept.voices),
  }
  return withVoices(updated, voice_states)
}

/**
 * Replaces a space that the server sends again after a resume, when the visible rooms may have changed. The `last_seq` of
 * a room may include messages whose events have not arrived yet, or never arrive because the room was not visible.
 */
function withReplacedSpace(state: State, space: SpaceState): State {
  const rooms = space.rooms.map((room) => newerRoom(state.rooms[room.id], room))
  const updated = withSpace(state, { ...space, rooms })
  return space.rooms.reduce((before, room) => withUnseenMessages(before, room, state.rooms[room.id]), updated)
}

function withUnseenMessages(state: State, room: Room, known: Room | undefined): State {
  if (known === undefined) return withUnseenCounted(state, room.id)
  const timeline = state.timelines[room.id]
  if (timeline === undefined || known.last_seq >= room.last_seq) return state
  return { ...state, timelines: { ...state.timelines, [room.id]: withGap(timeline, known.last_seq) } }
}

/** Removes a space and its data. */
export function withoutSpace(state: State, spaceId: string): State {
  const rooms = Object.values(state.rooms).filter((room) => room.space_id === spaceId)
  const unread = withoutReadStates(state, rooms)
  const kept = rooms.reduce((before, room) => withoutRoom(before, room.id), unread)
  return {
    ...kept,
    spaces: without(kept.spaces, spaceId),
    doors: without(kept.doors, spaceId),
    members: without(kept.members, spaceId),
  }
}

function withoutReadStates(state: State, rooms: readonly Room[]): State {
  return { ...state, readStates: rooms.reduce((kept, { id }) => without(kept, id), state.readStates) }
}
