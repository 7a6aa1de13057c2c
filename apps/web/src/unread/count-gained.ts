import type { Client } from '@foyer/sdk/client'
import { lastSeqOf } from '#src/store/channels.ts'
import type { Store } from '#src/store/store.ts'

interface Server {
  readonly client: { readonly messages: Pick<Client['messages'], 'readState'> }
  readonly store: Pick<Store, 'get' | 'adopt'>
}

/** Maximum number of attempts. In a very busy room, the local count is close enough. */
const MAX_TRIES = 3

/** Fetches the unread counts of a room that became visible. Only the server knows which older messages are unread. */
export async function countGained({ client, store }: Server, roomId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const asked_seq = lastSeqOf(store.get(), roomId)
    const read = await client.messages.readState(roomId)
    if (!(roomId in store.get().rooms)) return
    // Requests again if a message arrived during the request, because the answer may or may not include it.
    if (lastSeqOf(store.get(), roomId) === asked_seq) return store.adopt('MESSAGE_ACK', read)
  }
}
