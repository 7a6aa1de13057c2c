import type { Events } from '@foyer/protocol/events'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { withMissedCounted } from './read-states.ts'
import { newerRoom, withoutRoom } from './rooms.ts'
import { type State, without } from './state.ts'
import { withGap } from './timeline.ts'
import { withVoices } from './voice-states.ts'

export const spaceReducers = {
  /** A space that is new to us was just entered: what was said there before counts as read. */
  SPACE_CREATE: (state: State, space: Events['SPACE_CREATE']): State => {
    if (space.id in state.spaces) return withSpaceAnew(state, space)
    return withSpace(withoutReadStates(state, space.rooms), space)
  },
  SPACE_UPDATE: (state: State, space: Events['SPACE_UPDATE']): State => {
    const known = state.spaces[space.id]
    if (known === undefined) return state
    return { ...state, spaces: { ...state.spaces, [space.id]: { ...known, ...space } } }
  },
  SPACE_DELETE: (state: State, { space_id }: Events['SPACE_DELETE']): State => withoutSpace(state, space_id),
  // The screens that list invites, bans and buckets listen for themselves; nothing of them is kept.
  SPACE_INVITE_CREATE: (state: State): State => state,
  SPACE_INVITE_DELETE: (state: State): State => state,
  SPACE_BAN_CREATE: (state: State): State => state,
  SPACE_BAN_DELETE: (state: State): State => state,
  SPACE_BUCKET_CREATE: (state: State): State => state,
  SPACE_BUCKET_UPDATE: (state: State): State => state,
  SPACE_BUCKET_DELETE: (state: State): State => state,
}

/** The state with a space, exactly the rooms that it came with, and who is in them. */
export function withSpace(state: State, { rooms, voice_states, ...space }: SpaceState): State {
  const gone = Object.values(state.rooms).filter(
    (room) => room.space_id === space.id && !rooms.some((kept) => kept.id === room.id),
  )
  const kept = gone.reduce((before, room) => withoutRoom(before, room.id), state)
  const told = {
    ...kept,
    spaces: { ...kept.spaces, [space.id]: space },
    rooms: { ...kept.rooms, ...Object.fromEntries(rooms.map((room) => [room.id, room])) },
    voices: rooms.reduce((voices, { id }) => without(voices, id), kept.voices),
  }
  return withVoices(told, voice_states)
}

/**
 * After a resume a space is told as a whole, in which this client may see other rooms than before. Messages that it
 * speaks of may not have come yet, and never will where the room was out of sight.
 */
function withSpaceAnew(state: State, space: SpaceState): State {
  const rooms = space.rooms.map((room) => newerRoom(state.rooms[room.id], room))
  const told = withSpace(state, { ...space, rooms })
  return space.rooms.reduce((before, room) => withMissed(before, room, state.rooms[room.id]), told)
}

function withMissed(state: State, told: Room, known: Room | undefined): State {
  if (known === undefined) return withMissedCounted(state, told.id)
  const timeline = state.timelines[told.id]
  if (timeline === undefined || known.last_seq >= told.last_seq) return state
  return { ...state, timelines: { ...state.timelines, [told.id]: withGap(timeline, known.last_seq) } }
}

/** The state without the space and all that was kept for it. */
export function withoutSpace(state: State, spaceId: string): State {
  const rooms = Object.values(state.rooms).filter((room) => room.space_id === spaceId)
  const unread = withoutReadStates(state, rooms)
  const kept = rooms.reduce((before, room) => withoutRoom(before, room.id), unread)
  return { ...kept, spaces: without(kept.spaces, spaceId), members: without(kept.members, spaceId) }
}

function withoutReadStates(state: State, rooms: readonly Room[]): State {
  return { ...state, readStates: rooms.reduce((kept, { id }) => without(kept, id), state.readStates) }
}
