import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'

/** Returns the message that answers a post; null until it has loaded. Requests it, because it may not be in the loaded history. */
export function useAnswerMessage({ address, id }: OpenChannel, messageId: string): Message | null {
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      client.messages.list(address, { around: messageId, limit: 1 }, options),
    [address, messageId],
  )
  const shown = useAppState((state) =>
    state.timelines[id]?.messages.find((message) => message.id === messageId),
  )
  const { answer } = useAnswer(ask)
  const loaded =
    answer.state === 'here' ? answer.value.find((message) => message.id === messageId) : undefined
  return shown ?? loaded ?? null
}
