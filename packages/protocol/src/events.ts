import type { InviteCode } from './invites.ts'
import type { Member, MemberWithUser } from './members.ts'
import type { Message, ReadState } from './messages.ts'
import type { Room } from './rooms.ts'
import type { Space, SpaceState } from './spaces.ts'
import type { CurrentUser, User } from './users.ts'

/** All that a client needs to draw itself once. Lists whose feature does not exist yet are empty. */
export interface Ready {
  user: CurrentUser
  spaces: SpaceState[]
  conversations: never[]
  friends: never[]
  friend_requests: never[]
  blocks: never[]
  read_states: ReadState[]
  presences: never[]
  ice_servers: never[]
  session_id: string
  server: { version: string; limits: Record<string, number> }
}

export interface Typing {
  room_id: string | null
  conversation_id: string | null
  space_id: string | null
  user_id: string
}

/** Every event's name and the shape of its `d`. */
export interface Events {
  READY: Ready
  RESUMED: { replayed: number }
  USER_UPDATE: User | CurrentUser
  SPACE_CREATE: SpaceState
  SPACE_UPDATE: Space
  SPACE_DELETE: { space_id: string }
  SPACE_MEMBER_CREATE: MemberWithUser
  SPACE_MEMBER_UPDATE: Member
  SPACE_MEMBER_DELETE: { space_id: string; user_id: string }
  SPACE_INVITE_CREATE: InviteCode
  SPACE_INVITE_DELETE: { space_id: string; invite_id: string; code: string }
  ROOM_CREATE: Room
  ROOM_UPDATE: Room
  ROOM_DELETE: { space_id: string; room_id: string }
  MESSAGE_CREATE: Message
  MESSAGE_UPDATE: Message
  MESSAGE_DELETE: {
    id: string
    seq: number
    room_id: string | null
    conversation_id: string | null
    space_id: string | null
  }
  MESSAGE_ACK: ReadState
  TYPING_START: Typing
  RECORDING_START: Typing
}

export type EventName = keyof Events
