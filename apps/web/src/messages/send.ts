import { ApiError } from '@foyer/sdk/rest'
import type { Session } from '#src/session/session.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/form-errors.ts'

/** Shows the message at once and sends it, after those of this room that are already on their way. */
export function sendMessage(session: Session, roomId: string, content: string): void {
  const message: OutgoingMessage = {
    nonce: randomNonce(),
    room_id: roomId,
    content,
    created_at: new Date().toISOString(),
    status: 'sending',
    error: null,
  }
  enqueue(session, message)
}

/** Sends a message again under its old nonce: had it arrived after all, it is not doubled. */
export function retryMessage(session: Session, message: OutgoingMessage): void {
  enqueue(session, { ...message, status: 'sending', error: null })
}

/** Sends again what could not be sent because the server was out of reach. */
export function resendWaiting(session: Session): void {
  const waiting = Object.values(session.store.get().outbox).flat()
  for (const message of waiting.filter((message) => message.status === 'waiting'))
    retryMessage(session, message)
}

/** Per room the end of its queue: a room's messages are sent one after another, in the order they were written. */
const queues = new WeakMap<Session, Map<string, Promise<void>>>()

function enqueue(session: Session, message: OutgoingMessage): void {
  session.store.dispatch('message_queued', message)
  const rooms = queues.get(session) ?? new Map<string, Promise<void>>()
  queues.set(session, rooms)
  const before = rooms.get(message.room_id) ?? Promise.resolve()
  rooms.set(
    message.room_id,
    before.then(() => deliver(session, message)),
  )
}

async function deliver({ client, store }: Session, message: OutgoingMessage): Promise<void> {
  try {
    const sent = await client.messages.create(message.room_id, {
      content: message.content,
      nonce: message.nonce,
    })
    store.dispatch('message_sent', { ...sent, nonce: message.nonce })
  } catch (error) {
    const known = store.get().outbox[message.room_id]?.some((other) => other.nonce === message.nonce)
    if (known) store.dispatch('message_queued', { ...message, ...failure(error) })
  }
}

function failure(error: unknown): Pick<OutgoingMessage, 'status' | 'error'> {
  if (error instanceof ApiError && error.status < 500) return { status: 'failed', error: errorMessage(error) }
  return { status: 'waiting', error: null }
}

/** Not `crypto.randomUUID`, which browsers withhold from pages that are served without TLS. */
function randomNonce(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
