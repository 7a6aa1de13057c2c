import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'

/** Relation of the signed-in user to another user. A block hides any other relation. */
export type Relation =
  | { readonly kind: 'self' | 'blocked' | 'none' }
  | { readonly kind: 'friend'; readonly since: string }
  | { readonly kind: 'received' | 'sent'; readonly requestId: string }

type Known = Pick<State, 'me' | 'friends' | 'friendRequests' | 'blocks'>

export function relationTo({ me, friends, friendRequests, blocks }: Known, userId: string): Relation {
  if (me?.id === userId) return { kind: 'self' }
  if (userId in blocks) return { kind: 'blocked' }
  const friend = friends[userId]
  if (friend !== undefined) return { kind: 'friend', since: friend.since }
  const request = Object.values(friendRequests).find((pending) => pending.user_id === userId)
  if (request === undefined) return { kind: 'none' }
  return { kind: request.sender_id === userId ? 'received' : 'sent', requestId: request.id }
}

export function useRelation(userId: string): Relation {
  const me = useAppState((state) => state.me)
  const friends = useAppState((state) => state.friends)
  const friendRequests = useAppState((state) => state.friendRequests)
  const blocks = useAppState((state) => state.blocks)
  return useMemo(
    () => relationTo({ me, friends, friendRequests, blocks }, userId),
    [me, friends, friendRequests, blocks, userId],
  )
}
