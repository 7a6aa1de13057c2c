import type { Member } from '@foyer/protocol/members'
import type { PresenceStatus } from '@foyer/protocol/presence'
import type { User } from '@foyer/protocol/users'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { memberOf } from '#src/members/member-of.ts'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { statusOf } from '#src/store/presences.ts'

/** `unknown` while loading, and outside of spaces. */
export type Membership =
  | { readonly state: 'unknown' }
  | { readonly state: 'gone' }
  | { readonly state: 'member'; readonly member: Member }

export interface Profile {
  readonly user: User | undefined
  readonly membership: Membership
  /** Undefined if the server does not share the user's presence. */
  readonly status: PresenceStatus | undefined
  readonly error: string | null
}

/** Returns the loaded profile of a user, and fetches missing parts. */
export function useProfile(userId: string, spaceId: string | null): Profile {
  const user = useAppState((state) => state.users[userId] ?? state.members[spaceId ?? '']?.[userId]?.user)
  const listed = useAppState((state) => memberOf(state, spaceId, userId))
  const status = useAppState((state) => statusOf(state, userId))
  const isKnown = user !== undefined && (spaceId === null || (listed !== undefined && status !== undefined))
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      isKnown ? Promise.resolve(null) : lookUp(client, { userId, spaceId }, options),
    [isKnown, userId, spaceId],
  )
  const { answer } = useAnswer(ask)
  const found = answer.state === 'here' ? answer.value : null
  return {
    user: user ?? found?.user,
    membership:
      listed === undefined
        ? (found?.membership ?? { state: 'unknown' })
        : { state: 'member', member: listed },
    status: status ?? found?.status,
    error: answer.state === 'failed' ? answer.message : null,
  }
}

interface Subject {
  userId: string
  spaceId: string | null
}

/** Fetches a member from the gateway, which also returns their presence. Fetches only the account of other users. */
async function lookUp(client: Client, { userId, spaceId }: Subject, options: CallOptions) {
  if (spaceId === null) return asStranger(client, userId, options)
  const { members, presences } = await client.gateway.requestMembers({
    space_id: spaceId,
    user_ids: [userId],
  })
  const [member] = members
  if (member === undefined)
    return { ...(await asStranger(client, userId, options)), membership: { state: 'gone' } as const }
  const membership = { state: 'member', member } as const
  return { user: member.user, membership, status: presences[0]?.status ?? ('offline' as const) }
}

async function asStranger(client: Client, userId: string, options: CallOptions) {
  const user = await client.users.get(userId, options)
  return { user, membership: { state: 'unknown' } as const, status: undefined }
}
