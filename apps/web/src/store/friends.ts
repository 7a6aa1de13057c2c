import { ConversationType } from '@foyer/protocol/conversations'
import type { Events } from '@foyer/protocol/events'
import { type State, without } from './state.ts'
import { withUsers } from './users.ts'

export const friendReducers = {
  FRIEND_REQUEST_CREATE: (state: State, request: Events['FRIEND_REQUEST_CREATE']): State => ({
    ...state,
    friendRequests: { ...state.friendRequests, [request.id]: request },
  }),
  FRIEND_REQUEST_DELETE: (state: State, { id }: Events['FRIEND_REQUEST_DELETE']): State => ({
    ...state,
    friendRequests: without(state.friendRequests, id),
  }),
  FRIEND_CREATE: (state: State, friend: Events['FRIEND_CREATE']): State => ({
    ...withUsers(state, [friend.user]),
    friends: { ...state.friends, [friend.user.id]: friend },
  }),
  FRIEND_DELETE: (state: State, { user_id }: Events['FRIEND_DELETE']): State => ({
    ...state,
    friends: without(state.friends, user_id),
  }),
  BLOCK_CREATE: (state: State, block: Events['BLOCK_CREATE']): State => ({
    ...withUsers(state, [block.user]),
    blocks: { ...state.blocks, [block.user.id]: block },
  }),
  BLOCK_DELETE: (state: State, { user_id }: Events['BLOCK_DELETE']): State => ({
    ...state,
    blocks: without(state.blocks, user_id),
  }),
}

const NOBODY: State['blocks'] = {}

/** Returns the blocks that hide messages in a channel. Direct conversations hide none. */
export function blockedIn(
  { blocks, conversations }: Pick<State, 'blocks' | 'conversations'>,
  channelId: string,
): State['blocks'] {
  return conversations[channelId]?.type === ConversationType.Direct ? NOBODY : blocks
}

type Relations = Pick<Events['READY'], 'friends' | 'friend_requests' | 'blocks'>

/** Replaces all friends, requests and blocks. */
export function withRelations(state: State, { friends, friend_requests, blocks }: Relations): State {
  const people = [...friends, ...blocks].map(({ user }) => user)
  return {
    ...withUsers(state, people),
    friends: Object.fromEntries(friends.map((friend) => [friend.user.id, friend])),
    friendRequests: Object.fromEntries(friend_requests.map((request) => [request.id, request])),
    blocks: Object.fromEntries(blocks.map((block) => [block.user.id, block])),
  }
}
