import type { Events } from '@foyer/protocol/events'
import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import { loadOpened, loadThread, openId } from './loading.ts'
import { missedOf } from './missed-threads.ts'
import { reloading } from './reloading.ts'

/** Maximum number of followed threads loaded at the start, most recently active first. Others load when they get a message. */
const MAX_FOLLOWED = 200

type Server = Pick<Session, 'client' | 'store' | 'uploads'>

/**
 * Keeps the threads in use up to date: those that the user follows, and the open one. READY does not contain them, so they
 * are requested after it.
 * @param onLoaded called whenever the followed threads have been loaded into the store
 * @returns a function to stop
 */
export function startThreadFeed(session: Server, onLoaded?: () => void): () => void {
  const { gateway } = session.client
  let isStopped = false
  // False before the first READY. Until then, the page itself requests its thread.
  let isConnected = session.store.get().connection === 'ready'
  let mayReturn = false
  const opened = new OpenedThread(session)
  const missed = missedOf(session)
  const hiddenRooms = new Set<string>()
  // If this fails, the threads are requested again with the next connection.
  const reload = reloading(async (isStale) => {
    if (isStopped) return
    missed.clear()
    const isNewest = () => !isStale() && !isStopped
    try {
      const isWhole = await loadFollowed(session, isNewest, onLoaded)
      if (isNewest()) await missed.catchUp(isWhole)
    } finally {
      if (isNewest() && mayReturn) opened.load()
    }
  })
  const reloadHidden = () => {
    mayReturn = true
    void reload()
  }
  const stops = [
    gateway.on('READY', () => {
      mayReturn ||= isConnected
      isConnected = true
      void reload()
    }),
    // Both events may make threads visible that were hidden from the user.
    gateway.on('SPACE_CREATE', reloadHidden),
    gateway.on('ROOM_CREATE', ({ id, last_seq }) => {
      // A room that was hidden may have threads even without messages. A room that was just created has none.
      if (hiddenRooms.delete(id) || last_seq > 0) reloadHidden()
    }),
    gateway.on('ROOM_DELETE', ({ room_id }) => void hiddenRooms.add(room_id)),
    gateway.on('MESSAGE_CREATE', ({ room_id, parent_room_id, seq }) => {
      if (parent_room_id !== undefined) missed.note(room_id ?? '', seq)
    }),
    gateway.on('THREAD_FOLLOW_UPDATE', (update) => loadFollowedThread(session, update)),
  ]
  void reload()
  return () => {
    isStopped = true
    opened.stop()
    for (const stop of stops) stop()
  }
}

/** Adds a thread that the user has begun to follow. */
function loadFollowedThread(session: Server, { thread_id, follow }: Events['THREAD_FOLLOW_UPDATE']): void {
  if (follow === null || thread_id in session.store.get().threads) return
  void loadThread(session, thread_id).catch(() => undefined)
}

/** Requests the thread in the address if it is not known. Its room may have been hidden for a time. */
class OpenedThread {
  readonly #session: Server
  #request = new AbortController()

  constructor(session: Server) {
    this.#session = session
  }

  load(): void {
    this.stop()
    this.#request = new AbortController()
    const { rooms, threads } = this.#session.store.get()
    const id = openId()
    if (id === '' || id in rooms || id in threads) return
    loadOpened(this.#session, id, this.#request.signal).catch(() => undefined)
  }

  stop(): void {
    this.#request.abort()
  }
}

/** @returns false if the user follows more threads than are loaded */
async function loadFollowed(
  session: Server,
  isNewest: () => boolean,
  onLoaded?: () => void,
): Promise<boolean> {
  const { client, store } = session
  const before = Object.keys(store.get().threads)
  const found = new Set<string>()
  let next: string | null = null
  do {
    const page = await client
      .api(ThreadRooms)
      .listFollowed({ forums: true, limit: DEFAULT_PAGE, ...(next !== null && { before: next }) })
    if (!isNewest()) return true
    store.dispatch('threads_loaded', page.threads)
    for (const { id } of page.threads) found.add(id)
    next = page.next
  } while (next !== null && found.size < MAX_FOLLOWED)
  onLoaded?.()
  for (const id of before) if (!found.has(id) && isNewest()) await renew(session, id)
  return next === null
}

/**
 * Requests a thread again if it is open or has unsent messages; otherwise forgets it. It may have been unfollowed or deleted
 * while the client was disconnected.
 */
async function renew(session: Server, id: string): Promise<void> {
  const thread = session.store.get().threads[id]
  if (thread === undefined) return
  const forget = () =>
    session.store.adopt('THREAD_DELETE', { id, room_id: thread.parent_id, space_id: thread.space_id })
  if (openId() !== id && !hasUnsent(session, id)) return forget()
  await loadThread(session, id).catch((error) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) forget()
  })
}

/** Returns true if messages or files wait to be sent to a channel. Files are sent to known channels only. */
function hasUnsent({ store, uploads }: Server, id: string): boolean {
  const files = Object.values(uploads.api.getState().uploads)
  return (store.get().outbox[id] ?? []).length > 0 || files.some(({ channel }) => channelIdOf(channel) === id)
}
