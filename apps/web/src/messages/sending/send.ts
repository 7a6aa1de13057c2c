import type { CreateMessageBody } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { randomNonce } from '@foyer/sdk/nonce'
import { ApiError } from '@foyer/sdk/rest'
import { attachedFields, expiredUploads } from '#src/attachments/transfer/attached.ts'
import { storedFilesOf } from '#src/attachments/transfer/upload-state.ts'
import { UploadFailure } from '#src/attachments/transfer/uploads.ts'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { OutgoingMessage, SendOptions } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { Retry } from '#src/ui/time/retry.ts'
import { serverNow, serverTime } from '#src/ui/time/server-clock.ts'
import { Pace } from './pace.ts'

/** The parts of the session needed for sending. */
export type Sender = Pick<Session, 'client' | 'store' | 'uploads'>

interface Written {
  content: string
  uploadIds?: readonly string[]
  stickers?: readonly SpaceSticker[]
  options?: SendOptions
}

/** Shows the message immediately and sends it after the channel's earlier ones. */
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

/** Sends a message again with the same nonce, so that it is not posted twice. */
export function retryMessage(session: Sender, message: OutgoingMessage): void {
  session.uploads.retry(message.upload_ids)
  if (message.status === 'waiting') resendWaiting(session)
  else enqueue(session, { ...message, status: 'sending', error: null })
}

/** Discards an unsent message and its files. */
export function discardMessage({ store, uploads }: Sender, message: OutgoingMessage): void {
  store.dispatch('message_discarded', { channel_id: channelIdOf(message.channel), nonce: message.nonce })
  uploads.discard(message.upload_ids)
}

/** Removes a message that is held for review from the outbox. The server keeps the message and its files. */
export function dismissHeld({ store, uploads }: Sender, message: OutgoingMessage): void {
  store.dispatch('message_discarded', { channel_id: channelIdOf(message.channel), nonce: message.nonce })
  uploads.settle(message.upload_ids)
}

/** Drops the outbox of a deleted channel, which could never be sent. */
export function forgetUnsent({ store, uploads }: Sender, channelId: string): void {
  store.dispatch('channel_deleted', { channel_id: channelId })
  uploads.leave(channelId)
}

/** Called when the server is reachable again: retries failed messages and uploads immediately. */
export function resendWaiting(session: Sender): void {
  session.uploads.retryLost()
  for (const { attempt, retry } of queuesOf(session).values()) {
    attempt.abort()
    retry.reset()
  }
  for (const channelId of Object.keys(session.store.get().outbox)) sendWaiting(session, channelId)
}

/** Stops all retries at the end of the session. */
export function stopResending(session: Sender): void {
  for (const { retry } of queuesOf(session).values()) retry.cancel()
}

function sendWaiting(session: Sender, channelId: string): void {
  queueOf(session, channelId).retry.cancel()
  for (const message of outboxOf(session, channelId).filter(({ status }) => status === 'waiting')) {
    enqueue(session, { ...message, status: 'sending' })
  }
}

/** A channel's queue: messages are sent one after another, in the order they were written. */
interface Queue {
  /** Messages whose turn has not come yet. */
  readonly queued: QueuedMessage[]
  end: Promise<void>
  /** Ends the current attempt, including the wait before the next one, so that a new attempt starts. */
  attempt: AbortController
  /** Retries while the gateway is connected. */
  readonly retry: Retry
  readonly pace: Pace
}

interface QueuedMessage {
  readonly message: OutgoingMessage
  readonly attachment_ids: readonly string[]
}

const queues = new WeakMap<Sender, Map<string, Queue>>()

function queuesOf(session: Sender): Map<string, Queue> {
  const held = queues.get(session) ?? new Map<string, Queue>()
  queues.set(session, held)
  return held
}

function queueOf(session: Sender, channelId: string): Queue {
  const held = queuesOf(session)
  const queue = held.get(channelId) ?? {
    queued: [],
    end: Promise.resolve(),
    attempt: new AbortController(),
    retry: new Retry(),
    pace: new Pace((waitMs) => {
      const until = waitMs === null ? null : serverNow() + waitMs
      session.store.dispatch('sending_paused', { channel_id: channelId, until })
    }),
  }
  held.set(channelId, queue)
  return queue
}

function enqueue(session: Sender, message: OutgoingMessage): void {
  session.store.dispatch('message_queued', message)
  const files = storedFilesOf(session.uploads.api.getState(), message.upload_ids)
  if (files !== null) {
    return join(session, { message, attachment_ids: files.map(({ attachment_id }) => attachment_id) })
  }
  // Uploads take time; messages without files do not wait for them.
  session.uploads.stored(message.upload_ids).then(
    (attachment_ids) => join(session, { message, attachment_ids }),
    (error) => fail(session, message, error),
  )
}

function join(session: Sender, item: QueuedMessage): void {
  const channelId = channelIdOf(item.message.channel)
  const queue = queueOf(session, channelId)
  queue.queued.push(item)
  queue.end = queue.end.then(() => deliverNext(session, queue, channelId))
}

/** Sends the next message. A retried message is queued last, but is sent before messages written after it. */
async function deliverNext(session: Sender, queue: Queue, channelId: string): Promise<void> {
  if (queue.queued.some(({ message }) => isQueued(session, message))) await queue.pace.turn()
  const order = new Map(outboxOf(session, channelId).map(({ nonce }, index) => [nonce, index]))
  const orderOf = ({ message }: QueuedMessage) => order.get(message.nonce) ?? -1
  queue.queued.sort((one, other) => orderOf(one) - orderOf(other))
  const item = queue.queued.shift()
  if (item !== undefined) await deliver(session, item, queue)
}

async function deliver(session: Sender, item: QueuedMessage, queue: Queue): Promise<void> {
  const { client, store, uploads } = session
  const { message } = item
  if (!isQueued(session, message)) return uploads.settle(message.upload_ids)
  // A message must not overtake one that could not be sent.
  if (isBehindWaiting(session, message))
    return store.dispatch('message_queued', { ...message, status: 'waiting' })
  queue.attempt = new AbortController()
  const { signal } = queue.attempt
  try {
    const sent = await client.messages.create(message.channel, bodyOf(item, uploads), {
      signal,
      onRateLimit: (limit) => queue.pace.keepTo(limit),
    })
    store.dispatch('message_sent', { ...sent, nonce: message.nonce })
    uploads.settle(message.upload_ids)
    queue.retry.reset()
    reachAll(session)
  } catch (error) {
    if (signal.aborted) return deliver(session, item, queue)
    // The gateway may have delivered it even though the response was lost.
    if (!isQueued(session, message)) return uploads.settle(message.upload_ids)
    const waitMs = pauseOf(error)
    if (waitMs !== null) return deliverLater(session, item, { queue, waitMs })
    uploads.expire(expiredUploads(message.upload_ids, item.attachment_ids, error))
    fail(session, message, error)
  }
}

/** Keeps the message's position in the queue: later messages wait for it. */
async function deliverLater(
  session: Sender,
  item: QueuedMessage,
  { queue, waitMs }: { queue: Queue; waitMs: number },
): Promise<void> {
  queue.pace.hold(waitMs)
  queue.queued.unshift(item)
  await deliverNext(session, queue, channelIdOf(item.message.channel))
}

/** Returns how long a rate limited message has to wait; null without a limit. */
function pauseOf(error: unknown): number | null {
  return error instanceof ApiError && error.status === 429 ? error.retryAfterMs : null
}

/**
 * Reconnects and retries now: a successful request shows that the gateway and the other channels are reachable, too.
 * Channels that the server asked to wait keep waiting.
 */
function reachAll(session: Sender): void {
  const { connection, outbox } = session.store.get()
  if (connection === 'reconnecting') session.client.gateway.reconnectNow()
  if (connection !== 'ready') return
  const channels = Object.keys(outbox).filter((channelId) => !queueOf(session, channelId).retry.isAsked)
  for (const channelId of channels) sendWaiting(session, channelId)
}

function bodyOf({ message, attachment_ids }: QueuedMessage, { api }: Sender['uploads']): CreateMessageBody {
  const { content, nonce, stickers, options } = message
  return {
    ...options,
    content,
    nonce,
    ...attachedFields(api.getState(), message.upload_ids, attachment_ids),
    ...(stickers.length > 0 && { sticker_ids: stickers.map(({ id }) => id) }),
  }
}

function fail(session: Sender, message: OutgoingMessage, error: unknown): void {
  if (!isQueued(session, message)) return
  const failed = { ...message, ...failure(error) }
  session.store.dispatch('message_queued', failed)
  if (failed.status === 'waiting') retryLater(session, channelIdOf(message.channel), error)
}

/** Starts a retry timer, unless the gateway is disconnected: its reconnect triggers the retry. */
function retryLater(session: Sender, channelId: string, error: unknown): void {
  if (session.store.get().connection !== 'ready') return
  const asked = error instanceof ApiError ? error.retryAfterMs : null
  queueOf(session, channelId).retry.plan(() => sendWaiting(session, channelId), asked ?? 0)
}

/** Returns true if the message was neither sent nor discarded. */
function isQueued(session: Sender, { channel, nonce }: OutgoingMessage): boolean {
  return outboxOf(session, channelIdOf(channel)).some((other) => other.nonce === nonce)
}

function isBehindWaiting(session: Sender, { channel, nonce }: OutgoingMessage): boolean {
  const outbox = outboxOf(session, channelIdOf(channel))
  const index = outbox.findIndex((other) => other.nonce === nonce)
  return outbox.slice(0, index).some(({ status }) => status === 'waiting')
}

/** Returns the channel's unsent messages in the order they were written. */
function outboxOf({ store }: Sender, channelId: string): readonly OutgoingMessage[] {
  return store.get().outbox[channelId] ?? []
}

function failure(error: unknown): Pick<OutgoingMessage, 'status' | 'error' | 'stopped'> {
  if (error instanceof UploadFailure) return { status: 'failed', error: error.message }
  const isRefused = error instanceof ApiError && error.status < 500
  if (!isRefused) return { status: 'waiting', error: null }
  const stopped = stops.get(error.code ?? '')
  return { status: 'failed', error: errorMessage(error), ...(stopped !== undefined && { stopped }) }
}

/** Error codes of AutoMod, after which a message is not sent again, and its new status. */
const stops = new Map<string, 'refused' | 'held'>([
  ['automod_refused', 'refused'],
  ['held_for_review', 'held'],
])
