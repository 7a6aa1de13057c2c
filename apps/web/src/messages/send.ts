import type { CreateMessageBody } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { randomNonce } from '@foyer/sdk/nonce'
import { ApiError } from '@foyer/sdk/rest'
import { UploadFailure } from '#src/attachments/uploads.ts'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { OutgoingMessage, SendOptions } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { serverTime } from '#src/ui/server-clock.ts'

/** Of a session, what messages go out with. */
type Sender = Pick<Session, 'client' | 'store' | 'uploads'>

interface Written {
  content: string
  uploadIds?: readonly string[]
  stickers?: readonly SpaceSticker[]
  options?: SendOptions
}

/** Shows the message at once and sends it, after those of this channel that are already on their way. */
export function sendMessage(session: Sender, channel: ChannelAddress, written: Written): void {
  const { content, uploadIds = [], stickers = [], options = {} } = written
  enqueue(session, {
    nonce: randomNonce(),
    channel,
    content,
    options,
    upload_ids: uploadIds,
    stickers,
    created_at: serverTime(),
    status: 'sending',
    error: null,
  })
}

/** Sends a message again under its old nonce: had it arrived after all, it is not doubled. */
export function retryMessage(session: Sender, message: OutgoingMessage): void {
  session.uploads.retry(message.upload_ids)
  if (message.status === 'waiting') resendWaiting(session)
  else enqueue(session, { ...message, status: 'sending', error: null })
}

/** Takes a message back that is not sent, with its files. */
export function discardMessage({ store, uploads }: Sender, message: OutgoingMessage): void {
  store.dispatch('message_discarded', { channel_id: channelIdOf(message.channel), nonce: message.nonce })
  uploads.discard(message.upload_ids)
}

/** Once the server is reached again: sends what could not be sent, and at once what waits for its next attempt. */
export function resendWaiting(session: Sender): void {
  session.uploads.retryLost()
  for (const queue of queuesOf(session).values()) queue.attempt.abort()
  const waiting = Object.values(session.store.get().outbox).flat()
  for (const message of waiting.filter((message) => message.status === 'waiting')) {
    enqueue(session, { ...message, status: 'sending' })
  }
}

/** A channel's messages are sent one after another, in the order in which they were written. */
interface Queue {
  end: Promise<void>
  /** Ends the present attempt, with its waiting for the next, so that a new one is made. */
  attempt: AbortController
}

const queues = new WeakMap<Sender, Map<string, Queue>>()

function queuesOf(session: Sender): Map<string, Queue> {
  const held = queues.get(session) ?? new Map<string, Queue>()
  queues.set(session, held)
  return held
}

function enqueue(session: Sender, message: OutgoingMessage): void {
  session.store.dispatch('message_queued', message)
  if (message.upload_ids.length === 0) return join(session, message)
  // Files take their time: what is written meanwhile does not wait behind them.
  session.uploads.stored(message.upload_ids).then(
    (attachment_ids) => join(session, message, attachment_ids),
    (error) => fail(session, message, error),
  )
}

function join(session: Sender, message: OutgoingMessage, attachment_ids: readonly string[] = []): void {
  const held = queuesOf(session)
  const channelId = channelIdOf(message.channel)
  const queue = held.get(channelId) ?? { end: Promise.resolve(), attempt: new AbortController() }
  held.set(channelId, queue)
  queue.end = queue.end.then(() => deliver(session, { message, attachment_ids }, queue))
}

interface Letter {
  readonly message: OutgoingMessage
  readonly attachment_ids: readonly string[]
}

async function deliver(session: Sender, letter: Letter, queue: Queue): Promise<void> {
  const { client, store, uploads } = session
  const { message } = letter
  if (!isQueued(session, message)) return uploads.settle(message.upload_ids)
  // One that could not be sent must not be overtaken.
  if (isBehindWaiting(session, message))
    return store.dispatch('message_queued', { ...message, status: 'waiting' })
  queue.attempt = new AbortController()
  const { signal } = queue.attempt
  try {
    const sent = await client.messages.create(message.channel, bodyOf(letter), { signal })
    store.dispatch('message_sent', { ...sent, nonce: message.nonce })
    uploads.settle(message.upload_ids)
    // What a request reaches, the gateway reaches too: no need to wait for its next attempt.
    if (store.get().connection === 'reconnecting') client.gateway.reconnectNow()
  } catch (error) {
    if (signal.aborted) return deliver(session, letter, queue)
    // The gateway may have brought it although its answer was lost.
    if (!isQueued(session, message)) return uploads.settle(message.upload_ids)
    if (isExpired(error)) uploads.expire(message.upload_ids)
    fail(session, message, error)
  }
}

function bodyOf({ message, attachment_ids }: Letter): CreateMessageBody {
  const { content, nonce, stickers, options } = message
  return {
    ...options,
    content,
    nonce,
    ...(attachment_ids.length > 0 && { attachment_ids: [...attachment_ids] }),
    ...(stickers.length > 0 && { sticker_ids: stickers.map(({ id }) => id) }),
  }
}

function fail(session: Sender, message: OutgoingMessage, error: unknown): void {
  if (isQueued(session, message)) session.store.dispatch('message_queued', { ...message, ...failure(error) })
}

/** Nobody claimed the files for a day, and they were swept. */
function isExpired(error: unknown): boolean {
  return error instanceof ApiError && ['unknown_attachment', 'upload_incomplete'].includes(error.code ?? '')
}

/** Whether it was neither sent meanwhile nor discarded. */
function isQueued({ store }: Sender, { channel, nonce }: OutgoingMessage): boolean {
  return store.get().outbox[channelIdOf(channel)]?.some((other) => other.nonce === nonce) ?? false
}

function isBehindWaiting({ store }: Sender, { channel, nonce }: OutgoingMessage): boolean {
  const outbox = store.get().outbox[channelIdOf(channel)] ?? []
  const index = outbox.findIndex((other) => other.nonce === nonce)
  return outbox.slice(0, index).some((other) => other.status === 'waiting')
}

function failure(error: unknown): Pick<OutgoingMessage, 'status' | 'error'> {
  if (error instanceof UploadFailure) return { status: 'failed', error: error.message }
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused ? { status: 'failed', error: errorMessage(error) } : { status: 'waiting', error: null }
}
