import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { addressOfMessage } from './address-of-message.ts'

interface Page {
  /** Id of the last user on the previous page. */
  after?: string | null
  /** Maximum number of users. */
  limit?: number
  /** Number of reactions; a change reloads the list. */
  count?: number
}

/** Loads a page of users who reacted with an emoji. */
export function useReactors(
  { id, room_id, conversation_id }: Message,
  emoji: string,
  { after = null, limit = MAX_PAGE, count }: Page,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed count reloads the list
  const ask = useCallback(
    (client: Client, options: CallOptions) => {
      const target = addressOfMessage({ id, room_id, conversation_id })
      return client.reactions.list(target, emoji, after === null ? { limit } : { after, limit }, options)
    },
    [id, room_id, conversation_id, emoji, after, limit, count],
  )
  return useAnswer(ask)
}
