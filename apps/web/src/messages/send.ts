import { ApiError } from '@foyer/sdk/rest'
import type { Session } from '#src/session/session.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/form-errors.ts'

/** Shows the message at once and sends it, after those of this room that are already on their way. */
export function sendMessage(session: Session, roomId: string, content: string): void {
  enqueue(session, {
    nonce: randomNonce(),
    room_id: roomId,
    content,
    created_at: new Date().toISOString(),
    status: 'sending',
    error: null,
  })
}

/** Sends a message again under its old nonce: had it arrived after all, it is not doubled. */
export function retryMessage(session: Session, message: OutgoingMessage): void {
  if (message.status === 'waiting') resendWaiting(session)
  else enqueue(session, { ...message, status: 'sending', error: null })
}

/** Once the server is reached again: sends what could not be sent, and at once what waits for its next attempt. */
export function resendWaiting(session: Session): void {
  for (const queue of queuesOf(session).values()) queue.attempt.abort()
  const waiting = Object.values(session.store.get().outbox).flat()
  for (const message of waiting.filter((message) => message.status === 'waiting')) {
    enqueue(session, { ...message, status: 'sending' })
  }
}

/** A room's messages are sent one after another, in the order in which they were written. */
interface Queue {
  end: Promise<void>
  /** Ends the present attempt, with its waiting for the next, so that a new one is made. */
  attempt: AbortController
}

const queues = new WeakMap<Session, Map<string, Queue>>()

function queuesOf(session: Session): Map<string, Queue> {
  const rooms = queues.get(session) ?? new Map<string, Queue>()
  queues.set(session, rooms)
  return rooms
}

function enqueue(session: Session, message: OutgoingMessage): void {
  session.store.dispatch('message_queued', message)
  const rooms = queuesOf(session)
  const queue = rooms.get(message.room_id) ?? { end: Promise.resolve(), attempt: new AbortController() }
  rooms.set(message.room_id, queue)
  queue.end = queue.end.then(() => deliver(session, message, queue))
}

async function deliver(session: Session, message: OutgoingMessage, queue: Queue): Promise<void> {
  const { client, store } = session
  if (!isQueued(session, message)) return
  // One that could not be sent must not be overtaken.
  if (isBehindWaiting(session, message))
    return store.dispatch('message_queued', { ...message, status: 'waiting' })
  queue.attempt = new AbortController()
  const { signal } = queue.attempt
  try {
    const body = { content: message.content, nonce: message.nonce }
    const sent = await client.messages.create(message.room_id, body, { signal })
    store.dispatch('message_sent', { ...sent, nonce: message.nonce })
    // What a request reaches, the gateway reaches too: no need to wait for its next attempt.
    if (store.get().connection === 'reconnecting') client.gateway.reconnectNow()
  } catch (error) {
    if (signal.aborted) return deliver(session, message, queue)
    if (isQueued(session, message)) store.dispatch('message_queued', { ...message, ...failure(error) })
  }
}

/** Whether it was neither sent meanwhile nor discarded. */
function isQueued({ store }: Session, { room_id, nonce }: OutgoingMessage): boolean {
  return store.get().outbox[room_id]?.some((other) => other.nonce === nonce) ?? false
}

function isBehindWaiting({ store }: Session, { room_id, nonce }: OutgoingMessage): boolean {
  const outbox = store.get().outbox[room_id] ?? []
  const index = outbox.findIndex((other) => other.nonce === nonce)
  return outbox.slice(0, index).some((other) => other.status === 'waiting')
}

function failure(error: unknown): Pick<OutgoingMessage, 'status' | 'error'> {
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused ? { status: 'failed', error: errorMessage(error) } : { status: 'waiting', error: null }
}

/** Not `crypto.randomUUID`, which browsers withhold from pages that are served without TLS. */
function randomNonce(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
