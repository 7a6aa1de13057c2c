import type { Message, MessageReference } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import { useEffect, useState } from 'react'
import { useSession } from '#src/session/context.ts'

type Origins = Map<string, Promise<MessageReference | null>>

/** Answers of the server by forward: rows come and go while the user scrolls. */
const answers = new WeakMap<Client, Origins>()

/** What a forward was made of; null until that is known, and where the user may not view it. */
export function useOrigin(message: Message): MessageReference | null {
  const { client } = useSession()
  const [found, setFound] = useState<MessageReference | null>(null)
  const { reference } = message
  const isNamed = reference === null || reference.message_id !== null
  useEffect(() => {
    if (isNamed) return
    let isWanted = true
    void findOrigin(client, message).then((origin) => {
      if (isWanted) setFound(origin)
    })
    return () => {
      isWanted = false
    }
  }, [client, message, isNamed])
  return isNamed ? reference : found
}

function findOrigin(client: Client, { id, room_id, conversation_id }: Message) {
  const origins: Origins = answers.get(client) ?? new Map()
  answers.set(client, origins)
  const channel = room_id ?? { conversation: conversation_id ?? '' }
  const answer = origins.get(id) ?? client.messages.origin(channel, id).catch(() => null)
  origins.set(id, answer)
  return answer
}
