import type { Client } from '@foyer/sdk/client'
import { lastSeqOf } from '#src/store/channels.ts'
import type { Store } from '#src/store/store.ts'

interface Server {
  readonly client: { readonly messages: Pick<Client['messages'], 'readState'> }
  readonly store: Pick<Store, 'get' | 'adopt'>
}

/** In a room where more is said meanwhile each time, what is counted here is near enough. */
const MAX_TRIES = 3

/** Counts what is unread in a room that came into sight with messages of before: only the server knows which they are. */
export async function countGained({ client, store }: Server, roomId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const asked_seq = lastSeqOf(store.get(), roomId)
    const read = await client.messages.readState(roomId)
    if (!(roomId in store.get().rooms)) return
    // A message that came meanwhile may be in the answer or not.
    if (lastSeqOf(store.get(), roomId) === asked_seq) return store.adopt('MESSAGE_ACK', read)
  }
}
