import type { VoiceState } from '@foyer/protocol/voice'
import { useKnownMembers } from '#src/members/use-known-members.ts'
import { useNames } from '#src/members/use-names.ts'
import { useAppState } from '#src/session/context.ts'
import { usePeople } from '#src/session/use-people.ts'

const NOBODY: never[] = []

/** Names of the users in a voice room or call. Requests unknown members. */
export function useVoiceNames(
  spaceId: string | null,
  voices: readonly VoiceState[],
): (userId: string) => string {
  const myId = useAppState((state) => state.me?.id)
  const users = useAppState((state) => state.users)
  const others = voices.map(({ user_id }) => user_id).filter((id) => id !== myId)
  const members = useKnownMembers(spaceId, spaceId === null ? NOBODY : others)
  usePeople(spaceId === null ? others : NOBODY)
  const nameOf = useNames(spaceId ?? '')
  return (userId) => {
    const member = members.get(userId)
    const user = users[userId] ?? member?.user
    return user === undefined ? '…' : nameOf(user, member)
  }
}
