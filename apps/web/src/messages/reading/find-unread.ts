import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Client } from '@foyer/sdk/client'
import { channelIdOf } from '#src/store/channels.ts'

/** The part of the client that lists messages. */
export type Lister = { readonly messages: Pick<Client['messages'], 'list'> }

/** Messages per request. */
export const UNREAD_PAGE = 100
/** Maximum requests of the search. Every second request halves the time span. Evenly spaced messages need two or three. */
const MAX_PROBES = 16

interface Sought {
  /** `seq` of the last read message. */
  readonly lastRead: number
  /** Any unread message. */
  readonly unread: Pick<Message, 'id' | 'seq'>
}

/**
 * Finds the page where the unread messages begin, however far back. Searches by time, which every message id contains. Returns
 * undefined if the search fails.
 */
export async function findUnread(
  client: Lister,
  channel: ChannelAddress,
  { lastRead, unread }: Sought,
): Promise<Message[] | undefined> {
  let from: Point = { seq: 0, time: timeOf(channelIdOf(channel)) }
  let to: Point = { seq: unread.seq, time: timeOf(unread.id) }
  for (let probe = 0; probe < MAX_PROBES; probe += 1) {
    const share = probe % 2 === 0 ? (lastRead + 1 - from.seq) / (to.seq - from.seq) : 0.5
    const around = firstIdAt(Math.round(from.time + share * (to.time - from.time)))
    const page = await client.messages.list(channel, { around, limit: UNREAD_PAGE })
    const [newest, oldest] = [page[0], page.at(-1)]
    if (newest === undefined || oldest === undefined) return undefined
    const isPast = newest.seq <= lastRead
    if (!isPast && reaches(page, lastRead)) return page
    if (isPast) from = { seq: newest.seq, time: timeOf(newest.id) }
    else to = { seq: oldest.seq, time: timeOf(oldest.id) }
  }
  return undefined
}

/** Returns true if a page, newest first, reaches back to the last read message or to the channel's beginning. */
export function reaches(messages: readonly Message[], seq: number): boolean {
  return messages.length < UNREAD_PAGE || (messages.at(-1)?.seq ?? 0) <= seq + 1
}

interface Point {
  readonly seq: number
  readonly time: number
}

/** Milliseconds since 1970, from the first 48 bits of a version 7 id. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** Returns the smallest possible message id of a time. The server lists the messages next to it, even if none has this id. */
function firstIdAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
