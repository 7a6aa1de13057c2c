import type { Message } from '@foyer/protocol/messages'
import type { Session } from '#src/session/session.ts'
import { lastTrusted, overlaps, type Page } from '#src/store/timeline.ts'

/** What a room opens with. */
const FIRST_PAGE = 50
const FURTHER_PAGE = 100
/** A hole of more messages than this many pages is not closed: the reader starts again at the present. */
const MAX_GAP_PAGES = 3

/** Compares a room's timeline with the server: after it the timeline reaches the present without a hole. */
export async function syncLatest({ client, store }: Session, roomId: string): Promise<void> {
  const asked_seq = store.get().rooms[roomId]?.last_seq ?? 0
  const messages = await client.messages.list(roomId, { limit: FIRST_PAGE })
  if (messages.length === FIRST_PAGE) await closeGap({ client, store }, roomId, messages)
  const complete = messages.length < FIRST_PAGE
  store.dispatch('history_loaded', { room_id: roomId, at: 'latest', messages, asked_seq, complete })
}

export function loadOlder(session: Session, roomId: string): Promise<void> {
  const first = session.store.get().timelines[roomId]?.messages[0]
  if (first === undefined) return Promise.resolve()
  return loadPage(session, { room_id: roomId, at: 'before' }, { before: first.id, limit: FURTHER_PAGE })
}

export function loadNewer(session: Session, roomId: string): Promise<void> {
  const last = session.store.get().timelines[roomId]?.messages.at(-1)
  if (last === undefined) return Promise.resolve()
  return loadPage(session, { room_id: roomId, at: 'after' }, { after: last.id, limit: FURTHER_PAGE })
}

type Cursor = { limit: number } & ({ before: string } | { after: string })

async function loadPage(
  { client, store }: Pick<Session, 'client' | 'store'>,
  place: Pick<Page, 'room_id' | 'at'>,
  cursor: Cursor,
): Promise<void> {
  const asked_seq = store.get().rooms[place.room_id]?.last_seq ?? 0
  const messages = await client.messages.list(place.room_id, cursor)
  store.dispatch('history_loaded', {
    ...place,
    messages,
    asked_seq,
    complete: messages.length < cursor.limit,
  })
}

/** Fetches what lies between the held messages and the newest page, so that the two join. */
async function closeGap(
  session: Pick<Session, 'client' | 'store'>,
  roomId: string,
  latest: readonly Message[],
): Promise<void> {
  for (let pages = 0; pages < MAX_GAP_PAGES; pages += 1) {
    const held = session.store.get().timelines[roomId]
    const last = held === undefined ? undefined : lastTrusted(held)
    if (held === undefined || last === undefined || held.hasNewer || overlaps(held, latest)) return
    await loadPage(session, { room_id: roomId, at: 'after' }, { after: last.id, limit: FURTHER_PAGE })
  }
}
