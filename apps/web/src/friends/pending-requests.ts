import type { FriendRequest } from '@foyer/protocol/friends'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'

/** Returns the pending requests, newest first. */
export function pendingRequests(
  requests: State['friendRequests'],
  direction: 'received' | 'sent',
): FriendRequest[] {
  return Object.values(requests)
    .filter((request) => (request.sender_id === request.user_id) === (direction === 'received'))
    .sort((a, b) => (a.id < b.id ? 1 : -1))
}

/** Returns the number of received requests. */
export function useReceivedCount(): number {
  return useAppState((state) => pendingRequests(state.friendRequests, 'received').length)
}
