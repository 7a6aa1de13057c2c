import type { Member } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import type { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import type { State } from '#src/store/state.ts'

/** `unknown` also where it is not asked for. */
export type Membership =
  | { readonly state: 'unknown' }
  | { readonly state: 'gone' }
  | { readonly state: 'member'; readonly member: Member }

export interface Profile {
  readonly user: User | undefined
  readonly membership: Membership
  readonly error: string | null
}

/** What is known of somebody, and what the server adds to that. */
export function useProfile(userId: string, spaceId: string | null): Profile {
  const known = useAppState((state) => state.users[userId])
  const listed = useAppState((state) => listedMember(state, userId, spaceId))
  const isKnown = known !== undefined && (spaceId === null || listed !== undefined)
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      isKnown ? Promise.resolve(null) : lookUp(client, { userId, spaceId }, options),
    [isKnown, userId, spaceId],
  )
  const { answer } = useAnswer(ask)
  const found = answer.state === 'here' ? answer.value : null
  return {
    user: known ?? found?.user,
    membership: listed === undefined ? (found?.membership ?? { state: 'unknown' }) : memberOf(listed),
    error: answer.state === 'failed' ? answer.message : null,
  }
}

function listedMember(state: State, userId: string, spaceId: string | null): Member | undefined {
  if (spaceId === null) return undefined
  if (userId === state.me?.id) return state.spaces[spaceId]?.member
  return state.members[spaceId]?.entries.find((entry) => entry.id === userId)
}

interface Subject {
  userId: string
  spaceId: string | null
}

async function lookUp(client: Client, { userId, spaceId }: Subject, options: CallOptions) {
  if (spaceId === null) return asStranger(client, userId, options)
  try {
    const member = await client.members.get(spaceId, userId, options)
    return { user: member.user, membership: memberOf(member) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unknown_member') throw error
    return { ...(await asStranger(client, userId, options)), membership: { state: 'gone' } as const }
  }
}

async function asStranger(client: Client, userId: string, options: CallOptions) {
  return { user: await client.users.get(userId, options), membership: { state: 'unknown' } as const }
}

function memberOf(member: Member): Membership {
  return { state: 'member', member }
}
