import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'

/** Returns the reason of a member's timeout; null if none was given, and until it has loaded. */
export function useTimeoutReason(spaceId: string, userId: string): string | null {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.members.getTimeout(spaceId, userId, options),
    [spaceId, userId],
  )
  const { answer } = useAnswer(ask)
  return answer.state === 'here' ? answer.value.reason : null
}
