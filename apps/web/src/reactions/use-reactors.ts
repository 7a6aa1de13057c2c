import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { addressOfMessage } from './address-of-message.ts'

interface Page {
  /** The last of the page before, by their id. */
  after?: string | null
  /** How many are of interest. */
  limit?: number
  /** How many there are, where another number is to be asked for anew. */
  count?: number
}

/** A page of who reacted with an emoji, asked for when it is shown. */
export function useReactors(
  { id, room_id, conversation_id }: Message,
  emoji: string,
  { after = null, limit = MAX_PAGE, count }: Page,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number means other people
  const ask = useCallback(
    (client: Client, options: CallOptions) => {
      const target = addressOfMessage({ id, room_id, conversation_id })
      return client.reactions.list(target, emoji, after === null ? { limit } : { after, limit }, options)
    },
    [id, room_id, conversation_id, emoji, after, limit, count],
  )
  return useAnswer(ask)
}
