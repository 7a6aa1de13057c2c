import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { addressOf } from '#src/store/channels.ts'

/**
 * Who reacted with an emoji, the first hundred; asked for when it is shown, and again when their number changes.
 * @param limit how many are of interest
 */
export function useReactors(message: Message, emoji: string, limit = MAX_PAGE) {
  const { id, room_id, conversation_id } = message
  const count = message.reactions.find((reaction) => reaction.emoji === emoji)?.count ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number means other people
  const ask = useCallback(
    (client: Client, options: CallOptions) => {
      const target = { channel: addressOf({ room_id, conversation_id }), id }
      return client.reactions.list(target, emoji, { limit }, options)
    },
    [id, room_id, conversation_id, emoji, limit, count],
  )
  return useAnswer(ask)
}
