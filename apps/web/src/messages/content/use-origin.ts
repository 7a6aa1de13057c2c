import type { Message, MessageReference } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import { useEffect, useState } from 'react'
import { useSession } from '#src/session/context.ts'

/** Responses of the server, kept because rows are unmounted and mounted again while the user scrolls. */
const answers = new WeakMap<Message, Promise<MessageReference | null>>()

/** Returns the original of a forward; null until it is known, and if the user may not view it. */
export function useOrigin(message: Message): MessageReference | null {
  const { client } = useSession()
  const [found, setFound] = useState<MessageReference | null>(null)
  const { reference } = message
  const isNamed = reference?.message_id !== null
  useEffect(() => {
    if (!isNamed) void findOrigin(client, message).then(setFound)
  }, [client, message, isNamed])
  return isNamed ? (reference ?? null) : found
}

function findOrigin(client: Client, message: Message) {
  const { id, room_id, conversation_id } = message
  const channel = room_id ?? { conversation: conversation_id ?? '' }
  const answer = answers.get(message) ?? client.messages.origin(channel, id).catch(() => null)
  answers.set(message, answer)
  return answer
}
