import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Session } from '#src/session/session.ts'
import { channelIdOf, lastSeqOf } from '#src/store/channels.ts'
import { lastTrusted, overlaps, type Page } from '#src/store/messages/timeline.ts'
import { findUnread, reaches, UNREAD_PAGE } from './find-unread.ts'

type Server = Pick<Session, 'client' | 'store'>

/** Messages fetched when a channel opens. */
const FIRST_PAGE = 50
const FURTHER_PAGE = 100
/** Maximum pages to close a gap. After a larger gap, the timeline restarts at the latest messages. */
const MAX_GAP_PAGES = 3

/** Brings a channel's timeline up to date with the server, without gaps. */
export async function syncLatest({ client, store }: Server, channel: ChannelAddress): Promise<void> {
  const asked_seq = lastSeqOf(store.get(), channelIdOf(channel))
  const messages = await client.messages.list(channel, { limit: FIRST_PAGE })
  if (messages.length === FIRST_PAGE) await closeGap({ client, store }, channel, messages)
  const complete = messages.length < FIRST_PAGE
  store.dispatch('history_loaded', {
    channel_id: channelIdOf(channel),
    at: 'latest',
    messages,
    asked_seq,
    complete,
  })
}

/** Replaces the timeline with the messages around a message, or around its position if it was deleted. */
export async function loadAround(
  { client, store }: Server,
  channel: ChannelAddress,
  id: string,
): Promise<void> {
  const asked_seq = lastSeqOf(store.get(), channelIdOf(channel))
  const messages = await client.messages.list(channel, { around: id, limit: FURTHER_PAGE })
  store.dispatch('history_loaded', {
    channel_id: channelIdOf(channel),
    at: 'around',
    messages,
    asked_seq,
    complete: false,
  })
}

/** Loads the first unread messages, or the latest messages if they are not found. */
export async function loadUnread({ client, store }: Server, channel: ChannelAddress): Promise<void> {
  const id = channelIdOf(channel)
  const lastRead = store.get().readStates[id]?.last_read_seq ?? 0
  const asked_seq = lastSeqOf(store.get(), id)
  const latest = await client.messages.list(channel, { limit: UNREAD_PAGE })
  const unread = latest.at(-1)
  const isFar = unread !== undefined && !reaches(latest, lastRead)
  const found = isFar ? await findUnread(client, channel, { lastRead, unread }) : undefined
  const complete = latest.length < UNREAD_PAGE
  const page =
    found === undefined
      ? { at: 'latest' as const, messages: latest }
      : { at: 'around' as const, messages: found }
  store.dispatch('history_loaded', { channel_id: id, ...page, asked_seq, complete })
}

export function loadOlder(session: Server, channel: ChannelAddress): Promise<void> {
  const first = session.store.get().timelines[channelIdOf(channel)]?.messages[0]
  if (first === undefined) return Promise.resolve()
  return loadPage(session, { channel, at: 'before' }, { before: first.id, limit: FURTHER_PAGE })
}

export function loadNewer(session: Server, channel: ChannelAddress): Promise<void> {
  const last = session.store.get().timelines[channelIdOf(channel)]?.messages.at(-1)
  if (last === undefined) return Promise.resolve()
  return loadPage(session, { channel, at: 'after' }, { after: last.id, limit: FURTHER_PAGE })
}

type Cursor = { limit: number } & ({ before: string } | { after: string })

async function loadPage(
  { client, store }: Server,
  { channel, at }: { channel: ChannelAddress; at: Page['at'] },
  cursor: Cursor,
): Promise<void> {
  const asked_seq = lastSeqOf(store.get(), channelIdOf(channel))
  const messages = await client.messages.list(channel, cursor)
  store.dispatch('history_loaded', {
    channel_id: channelIdOf(channel),
    at,
    messages,
    asked_seq,
    complete: messages.length < cursor.limit,
  })
}

/** Fetches the messages between the loaded ones and the newest page. */
async function closeGap(session: Server, channel: ChannelAddress, latest: readonly Message[]): Promise<void> {
  for (let pages = 0; pages < MAX_GAP_PAGES; pages += 1) {
    const held = session.store.get().timelines[channelIdOf(channel)]
    const last = held === undefined ? undefined : lastTrusted(held)
    if (held === undefined || last === undefined || held.hasNewer || overlaps(held, latest)) return
    await loadPage(session, { channel, at: 'after' }, { after: last.id, limit: FURTHER_PAGE })
  }
}
