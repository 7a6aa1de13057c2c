import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { backoffMs, delay } from '@foyer/sdk/delay'
import { ApiError } from '@foyer/sdk/rest'
import type { Session } from '#src/session/session.ts'

/** Minimum pause before the thread of an open page is requested again. Each request also has its own retries. */
const PAUSE_MS = 2_000
const BACKOFF = { baseDelayMs: 4_000, maxDelayMs: 60_000 }

type Server = Pick<Session, 'client' | 'store'>

/** Loads a thread into the store, which then keeps it up to date. @throws ApiError if the user cannot view it */
export function loadThread(session: Server, id: string, signal?: AbortSignal): Promise<void> {
  return load(session, id, () => true, signal)
}

/** Requests a thread, and loads it into the store if the user follows it. */
export function loadIfFollowed(session: Server, id: string): Promise<void> {
  return load(session, id, ({ own }) => own.follow !== null)
}

/** Requests the thread of an open page, and repeats the request until the server answers. */
export async function loadOpened(session: Server, id: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted && openId() === id; attempt += 1) {
    if (await isAnswered(loadThread(session, id, signal))) return
    await delay(PAUSE_MS + backoffMs(attempt, BACKOFF), signal)
  }
}

/** Returns false if the request failed for a temporary reason. */
function isAnswered(request: Promise<void>): Promise<boolean> {
  return request.then(() => true, isFinal)
}

/** Returns the id of the room or thread in the address, or an empty text. */
export function openId(): string {
  return /^\/spaces\/[^/]+\/rooms\/([^/]+)/.exec(window.location.pathname)?.[1] ?? ''
}

async function load(
  { client, store }: Server,
  id: string,
  isWanted: (thread: OwnThread) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  let newest = 0
  const stop = client.gateway.on('MESSAGE_CREATE', ({ room_id, seq }) => {
    if (room_id === id) newest = Math.max(newest, seq)
  })
  const lacksNewest = () => (store.get().threads[id]?.last_seq ?? newest) < newest
  async function request(): Promise<boolean> {
    const thread = await client.api(ThreadRooms).get(id, { ...(signal && { signal }) })
    if (signal?.aborted === true || !isWanted(thread)) return true
    store.dispatch('threads_loaded', [thread])
    return !lacksNewest()
  }
  try {
    // Requests again if a message arrived that the response lacks: the store ignores messages of unknown threads.
    let isDone = false
    while (!isDone) isDone = await request()
  } finally {
    stop()
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429 && error.status !== 408
}
