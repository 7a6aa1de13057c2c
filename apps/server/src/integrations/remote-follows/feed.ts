import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { MAX_FEED_BYTES, ReceivedFeed } from '@foyer/protocol/announcement-feed'
import { limits } from '@foyer/protocol/limits'
import { cleanText } from '#src/files/previews/values.ts'
import { isGoodText } from '#src/kernel/http/bodies/body.ts'
import { compileInput } from '#src/kernel/http/validation.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import { feedUrlOf, isOfOrigin, type RemoteAddress } from './addresses.ts'
import { type Change, changesOf } from './feed-changes.ts'

/** Time limit for one page of a feed. */
const FETCH_MS = 10_000
/** Maximum size of a page. Servers make smaller pages, but a single large message must not stop a follow for ever. */
const MAX_BYTES = 4 * MAX_FEED_BYTES

/** A feed that could not be read, because the server does not answer now or the address has no feed. */
export class FeedError extends Error {
  readonly code: 'source_unreachable' | 'not_an_announcement_feed'

  constructor(code: FeedError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The announcements of a room of another server, as that server shows them. */
export type RemoteFeed = Omit<ReceivedFeed, 'messages'> & { changes: Change[] }

/**
 * Reads the feed of a room of another server: only its head, or also the changes after a number.
 * @throws FeedError, or the signal's reason
 */
export async function fetchFeed(
  outgoing: Outgoing,
  room: RemoteAddress,
  { after, signal }: { after?: number; signal: AbortSignal },
): Promise<RemoteFeed> {
  const feedUrl = feedUrlOf(room)
  const url = new URL(after === undefined ? feedUrl : `${feedUrl}?after=${after}`)
  const bytes = await fetchBytes(outgoing, url, signal)
  const { messages = [], ...feed } = readFeed(bytes)
  const isOfRoom = feed.url === feedUrl && feed.space.id === room.spaceId && feed.room.id === room.roomId
  if (!isOfRoom || !isOfOrigin(feed.hub, room.origin))
    throw new FeedError('not_an_announcement_feed', `${url.hostname} gave the feed of another room`)
  const { space, room: named } = feed
  const names = {
    space: { ...space, name: plainName(space.name) },
    room: { ...named, name: plainName(named.name) },
  }
  return { ...feed, ...names, changes: changesOf(messages, room) }
}

async function fetchBytes(outgoing: Outgoing, url: URL, closing: AbortSignal): Promise<Buffer> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(FETCH_MS)])
  const limits = { timeoutMs: FETCH_MS, maxBytes: MAX_BYTES, signal }
  try {
    const answer = await outgoing.send({
      ...{ method: 'GET', url, headers: askingFor('application/json') },
      ...limits,
    })
    if (answer.status === 200) return await buffer(answer.body)
    answer.body.destroy()
    throw refused(url, answer.status)
  } catch (error) {
    closing.throwIfAborted()
    if (error instanceof FeedError) throw error
    throw new FeedError('source_unreachable', `${url.hostname} cannot be reached`, { cause: error })
  }
}

function refused({ hostname }: URL, status: number): FeedError {
  const isBusy = status === 429 || status >= 500
  const code = isBusy ? 'source_unreachable' : 'not_an_announcement_feed'
  return new FeedError(code, `${hostname} answered with the status ${status}`)
}

/** Returns a name on one line, without characters that change the direction of the text after it. */
function plainName(name: string): string {
  return cleanText(name, limits.nameMax) ?? ''
}

function readFeed(bytes: Buffer): ReceivedFeed {
  const isFeed = compileInput(ReceivedFeed)
  const value = isUtf8(bytes) ? parsed(bytes.toString()) : undefined
  if (!isFeed(value)) throw new FeedError('not_an_announcement_feed', 'the answer is no feed')
  const { messages: _each, ...feed } = value
  if (!isGoodText(feed))
    throw new FeedError('not_an_announcement_feed', 'the feed has characters without text')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
