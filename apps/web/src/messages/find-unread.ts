import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Client } from '@foyer/sdk/client'
import { channelIdOf } from '#src/store/channels.ts'

/** What is asked with: lists messages. */
export type Lister = { readonly messages: Pick<Client['messages'], 'list'> }

/** What is looked at together. */
export const UNREAD_PAGE = 100
/** Each second probe halves the time that is left; where messages came evenly, two or three are enough. */
const MAX_PROBES = 16

interface Sought {
  /** The last message that was read. */
  readonly lastRead: number
  /** A message that is not. */
  readonly unread: Pick<Message, 'id' | 'seq'>
}

/**
 * The page in which the unread messages begin, however far back: messages are asked for by the time in their ids, which narrows
 * down where it is. Undefined where that leads nowhere.
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

/** Whether a full page, newest first, has the last message that was read, or there is none before it. */
export function reaches(messages: readonly Message[], seq: number): boolean {
  return messages.length < UNREAD_PAGE || (messages.at(-1)?.seq ?? 0) <= seq + 1
}

interface Point {
  readonly seq: number
  readonly time: number
}

/** In milliseconds: version 7 of ids begins with it. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** Anchors need not exist: they stand for what is next to them. */
function firstIdAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
