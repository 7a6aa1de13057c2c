import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import { reloading } from './reloading.ts'

/** Followed threads in use, the most active first. Those beyond are in the list of followed threads only. */
const MAX_FOLLOWED = 200
/** Remembered threads that had a message while they were not in use. */
const MAX_MISSED = 1000

type Server = Pick<Session, 'client' | 'store' | 'uploads'>

/**
 * Keeps the threads in use up to date: those that the user follows, and the open one. READY does not contain them, so they
 * are requested after it. @returns a function to stop
 */
export function startThreadFeed(session: Server): () => void {
  const { gateway } = session.client
  const missed = new Map<string, number>()
  let isStopped = false
  // If this fails, the threads are requested again with the next connection.
  const reload = reloading(async (isStale) => {
    if (isStopped) return
    missed.clear()
    await loadFollowed(session, () => !isStale() && !isStopped)
    await catchUp(session, missed)
  })
  const stops = [
    gateway.on('READY', () => void reload()),
    // Both may bring threads that were hidden from the user.
    gateway.on('SPACE_CREATE', () => void reload()),
    gateway.on('ROOM_CREATE', ({ last_seq }) => {
      if (last_seq > 0) void reload()
    }),
    gateway.on('MESSAGE_CREATE', ({ room_id, parent_room_id, seq }) => {
      const isUnknown = parent_room_id !== undefined && !((room_id ?? '') in session.store.get().threads)
      if (isUnknown && missed.size < MAX_MISSED) missed.set(room_id ?? '', seq)
    }),
    gateway.on('THREAD_FOLLOW_UPDATE', ({ thread_id, follow }) => {
      if (follow === null || thread_id in session.store.get().threads) return
      void loadThread(session, thread_id).catch(() => undefined)
    }),
  ]
  void reload()
  return () => {
    isStopped = true
    for (const stop of stops) stop()
  }
}

/** Requests a thread, which is in use from then on. @throws ApiError if it does not exist or is hidden from the user */
export async function loadThread({ client, store }: Server, id: string, signal?: AbortSignal): Promise<void> {
  const thread = await client.api(ThreadRooms).get(id, { ...(signal && { signal }) })
  if (signal?.aborted !== true) store.dispatch('threads_loaded', [thread])
}

async function loadFollowed(session: Server, isNewest: () => boolean): Promise<void> {
  const { client, store } = session
  const before = Object.keys(store.get().threads)
  const found = new Set<string>()
  let next: string | null = null
  do {
    const page = await client
      .api(ThreadRooms)
      .listFollowed({ limit: DEFAULT_PAGE, ...(next !== null && { before: next }) })
    if (!isNewest()) return
    store.dispatch('threads_loaded', page.threads)
    for (const { id } of page.threads) found.add(id)
    next = page.next
  } while (next !== null && found.size < MAX_FOLLOWED)
  for (const id of before) if (!found.has(id) && isNewest()) await renew(session, id)
}

/** Requests the threads that had a message while an older answer was on its way. */
async function catchUp(session: Server, missed: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, seq] of missed) {
    const known = session.store.get().threads[id]
    if (known !== undefined && known.last_seq < seq) await loadThread(session, id).catch(() => undefined)
  }
}

/**
 * Requests a thread that is open or has something unsent, or forgets it. It may have been unfollowed or deleted while the
 * client was away.
 */
async function renew(session: Server, id: string): Promise<void> {
  const thread = session.store.get().threads[id]
  if (thread === undefined) return
  const forget = () =>
    session.store.adopt('THREAD_DELETE', { id, room_id: thread.parent_id, space_id: thread.space_id })
  const isOpen = window.location.pathname.split('/').includes(id)
  if (!isOpen && !hasUnsent(session, id)) return forget()
  await loadThread(session, id).catch((error) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) forget()
  })
}

/** Returns true if messages or files wait to be sent to a channel. Files are sent to known channels only. */
function hasUnsent({ store, uploads }: Server, id: string): boolean {
  const files = Object.values(uploads.api.getState().uploads)
  return (store.get().outbox[id] ?? []).length > 0 || files.some(({ channel }) => channelIdOf(channel) === id)
}
