import type { CreateMessageBody } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { randomNonce } from '@foyer/sdk/nonce'
import { ApiError } from '@foyer/sdk/rest'
import { storedFilesOf } from '#src/attachments/upload-state.ts'
import { UploadFailure } from '#src/attachments/uploads.ts'
import { Retry } from '#src/session/retry.ts'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { OutgoingMessage, SendOptions } from '#src/store/state.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { serverNow, serverTime } from '#src/ui/server-clock.ts'
import { Pace } from './pace.ts'

/** Of a session, what messages go out with. */
export type Sender = Pick<Session, 'client' | 'store' | 'uploads'>

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

/** What waits for a channel that was deleted waits for ever. */
export function forgetUnsent({ store, uploads }: Sender, channelId: string): void {
  store.dispatch('channel_deleted', { channel_id: channelId })
  uploads.leave(channelId)
}

/** Once the server is reached again: sends what could not be sent, and at once what waits for its next attempt. */
export function resendWaiting(session: Sender): void {
  session.uploads.retryLost()
  for (const { attempt, retry } of queuesOf(session).values()) {
    attempt.abort()
    retry.reset()
  }
  for (const channelId of Object.keys(session.store.get().outbox)) sendWaiting(session, channelId)
}

/** For the end of the session: what waits is tried no more. */
export function stopResending(session: Sender): void {
  for (const { retry } of queuesOf(session).values()) retry.cancel()
}

function sendWaiting(session: Sender, channelId: string): void {
  queueOf(session, channelId).retry.cancel()
  for (const message of outboxOf(session, channelId).filter(({ status }) => status === 'waiting')) {
    enqueue(session, { ...message, status: 'sending' })
  }
}

/** A channel's messages are sent one after another, in the order in which they were written. */
interface Queue {
  /** Whose turn has not come yet. */
  readonly letters: Letter[]
  end: Promise<void>
  /** Ends the present attempt, with its waiting for the next, so that a new one is made. */
  attempt: AbortController
  /** Of what waits although the gateway is there. */
  readonly retry: Retry
  readonly pace: Pace
}

interface Letter {
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
    letters: [],
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
  // Files take their time: what is written meanwhile does not wait behind them.
  session.uploads.stored(message.upload_ids).then(
    (attachment_ids) => join(session, { message, attachment_ids }),
    (error) => fail(session, message, error),
  )
}

function join(session: Sender, letter: Letter): void {
  const channelId = channelIdOf(letter.message.channel)
  const queue = queueOf(session, channelId)
  queue.letters.push(letter)
  queue.end = queue.end.then(() => deliverNext(session, queue, channelId))
}

/** What is sent again joins behind what was written after it, and goes before it all the same. */
async function deliverNext(session: Sender, queue: Queue, channelId: string): Promise<void> {
  if (queue.letters.some(({ message }) => isQueued(session, message))) await queue.pace.turn()
  const places = new Map(outboxOf(session, channelId).map(({ nonce }, place) => [nonce, place]))
  const placeOf = ({ message }: Letter) => places.get(message.nonce) ?? -1
  queue.letters.sort((one, other) => placeOf(one) - placeOf(other))
  const letter = queue.letters.shift()
  if (letter !== undefined) await deliver(session, letter, queue)
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
    const sent = await client.messages.create(message.channel, bodyOf(letter, uploads), {
      signal,
      onRateLimit: (limit) => queue.pace.keepTo(limit),
    })
    store.dispatch('message_sent', { ...sent, nonce: message.nonce })
    uploads.settle(message.upload_ids)
    queue.retry.reset()
    reachAll(session)
  } catch (error) {
    if (signal.aborted) return deliver(session, letter, queue)
    // The gateway may have brought it although its answer was lost.
    if (!isQueued(session, message)) return uploads.settle(message.upload_ids)
    const waitMs = pauseOf(error)
    if (waitMs !== null) return deliverLater(session, letter, { queue, waitMs })
    uploads.expire(expiredOf(letter, error))
    fail(session, message, error)
  }
}

/** The message keeps its turn: nothing that was written after it goes before it. */
async function deliverLater(
  session: Sender,
  letter: Letter,
  { queue, waitMs }: { queue: Queue; waitMs: number },
): Promise<void> {
  queue.pace.hold(waitMs)
  queue.letters.unshift(letter)
  await deliverNext(session, queue, channelIdOf(letter.message.channel))
}

/** How long the server asks a message to wait that came too soon after others. */
function pauseOf(error: unknown): number | null {
  return error instanceof ApiError && error.status === 429 ? error.retryAfterMs : null
}

/**
 * What one request reaches, the gateway and the others reach too: no need to wait for their next attempts, but where the
 * server asked to.
 */
function reachAll(session: Sender): void {
  const { connection, outbox } = session.store.get()
  if (connection === 'reconnecting') session.client.gateway.reconnectNow()
  if (connection !== 'ready') return
  const channels = Object.keys(outbox).filter((channelId) => !queueOf(session, channelId).retry.isAsked)
  for (const channelId of channels) sendWaiting(session, channelId)
}

function bodyOf({ message, attachment_ids }: Letter, { api }: Sender['uploads']): CreateMessageBody {
  const { uploads } = api.getState()
  const attachments = attachment_ids.flatMap((id, place) => {
    const { description = null } = uploads[message.upload_ids[place] ?? ''] ?? {}
    return description === null ? [] : [{ id, description }]
  })
  const { content, nonce, stickers, options } = message
  return {
    ...options,
    content,
    nonce,
    ...(attachment_ids.length > 0 && { attachment_ids: [...attachment_ids] }),
    ...(attachments.length > 0 && { attachments }),
    ...(stickers.length > 0 && { sticker_ids: stickers.map(({ id }) => id) }),
  }
}

function fail(session: Sender, message: OutgoingMessage, error: unknown): void {
  if (!isQueued(session, message)) return
  const failed = { ...message, ...failure(error) }
  session.store.dispatch('message_queued', failed)
  if (failed.status === 'waiting') retryLater(session, channelIdOf(message.channel), error)
}

/** While the gateway is lost, its return says that the server is reached; while it is there, nothing says so. */
function retryLater(session: Sender, channelId: string, error: unknown): void {
  if (session.store.get().connection !== 'ready') return
  const asked = error instanceof ApiError ? error.retryAfterMs : null
  queueOf(session, channelId).retry.plan(() => sendWaiting(session, channelId), asked ?? 0)
}

/** The uploads that nobody claimed for a day, and that were swept; all of them where it is not said which. */
function expiredOf({ message, attachment_ids }: Letter, error: unknown): readonly string[] {
  const isExpired =
    error instanceof ApiError && ['unknown_attachment', 'upload_incomplete'].includes(error.code ?? '')
  if (!isExpired) return []
  const { unknownAttachments: gone } = error
  if (gone.length === 0) return message.upload_ids
  return message.upload_ids.filter((_id, place) => gone.includes(attachment_ids[place] ?? ''))
}

/** Whether it was neither sent meanwhile nor discarded. */
function isQueued(session: Sender, { channel, nonce }: OutgoingMessage): boolean {
  return outboxOf(session, channelIdOf(channel)).some((other) => other.nonce === nonce)
}

function isBehindWaiting(session: Sender, { channel, nonce }: OutgoingMessage): boolean {
  const outbox = outboxOf(session, channelIdOf(channel))
  const place = outbox.findIndex((other) => other.nonce === nonce)
  return outbox.slice(0, place).some(({ status }) => status === 'waiting')
}

/** What is not sent in the channel, in the order in which it was written. */
function outboxOf({ store }: Sender, channelId: string): readonly OutgoingMessage[] {
  return store.get().outbox[channelId] ?? []
}

function failure(error: unknown): Pick<OutgoingMessage, 'status' | 'error'> {
  if (error instanceof UploadFailure) return { status: 'failed', error: error.message }
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused ? { status: 'failed', error: errorMessage(error) } : { status: 'waiting', error: null }
}
