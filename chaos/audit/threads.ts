import type { ListedThread, Thread, ThreadPage } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Client } from '@foyer/sdk/client'
import type { Recorder } from '../listening/recorder.ts'
import type { SeenThread, ThreadView } from '../listening/thread-view.ts'
import { freshClient } from '../world/people.ts'
import type { Person } from '../world/tenant.ts'
import type { Threads } from '../world/threads.ts'
import type { Findings } from './findings.ts'
import { askReady } from './views.ts'

const AT_ONCE = 10
const PAGE = 100

export interface ThreadAudit {
  threads: Threads
  findings: Findings
}

/**
 * Checks that the threads, counts, read states and follows that each client knows from events match what a fresh client reads,
 * and that its lists and READY match each other.
 */
export async function auditThreads(
  url: string,
  people: readonly Person[],
  recorders: ReadonlyMap<string, Recorder>,
  audit: ThreadAudit,
): Promise<void> {
  for (let from = 0; from < people.length; from += AT_ONCE) {
    const some = people.slice(from, from + AT_ONCE)
    await Promise.all(some.map((person) => auditPerson(url, person, recorders.get(person.id), audit)))
  }
}

async function auditPerson(
  url: string,
  person: Person,
  recorder: Recorder | undefined,
  audit: ThreadAudit,
): Promise<void> {
  if (recorder === undefined) return
  const client = freshClient(url, person)
  const rooms = [...recorder.threads.view.rooms.keys()].filter((id) => recorder.threads.hears(id))
  const listed: ListedThread[] = []
  for (const roomId of rooms) {
    const fresh = await readRoom(client, roomId)
    const who = { userId: person.id, trace: recorder.trace.lines(), roomId }
    compareThreads(who, recorder.threads.view, fresh, audit)
    listed.push(...fresh)
  }
  if (rooms.length > 0) await auditFollowed(url, person, { client, listed, recorder }, audit)
}

interface Who {
  userId: string
  roomId: string
  trace: readonly string[]
}

/** Compares the threads of one room. */
export function compareThreads(
  who: Who,
  view: ThreadView,
  fresh: readonly ListedThread[],
  { threads, findings }: ThreadAudit,
): void {
  const since = view.rooms.get(who.roomId) ?? Number.POSITIVE_INFINITY
  const known = new Map(view.of(who.roomId).map((seen) => [seen.thread.id, seen]))
  const listed = new Set(fresh.map(({ id }) => id))
  const complain = (what: string, evidence: Record<string, unknown>) =>
    findings.add('diverged', what, { ...who, since, ...evidence })
  for (const { thread } of known.values())
    if (!listed.has(thread.id)) complain('a client knows a thread that is gone', { thread })
  for (const thread of fresh.filter(({ id }) => !known.has(id))) {
    const titledAt = threads.titledAt(thread.title) ?? 0
    if (titledAt > since) complain('a client was not told of a thread', { thread, titledAt })
  }
  for (const thread of fresh) {
    const seen = known.get(thread.id)
    const [told, read] = seen ? [describeSeen(seen, thread, view), describeFresh(seen, thread, view)] : []
    if (told !== read) complain('the thread of a client differs from the list', { told, read })
  }
}

/** Describes a thread as the client knows it from events, without tags that the forum no longer has. */
function describeSeen({ thread, messageIds }: SeenThread, fresh: ListedThread, view: ThreadView): string {
  const tags = thread.tags?.filter((id) => view.hasTag(thread.room_id, id))
  const untold = messageIds === undefined ? UNTOLD : NEVER_FOLLOWED
  const { follow, read_seq } = view.follows.get(fresh.id) ?? untold
  return JSON.stringify([shapeOf(thread, tags), messageIds?.size, follow, read_seq])
}

const NEVER_FOLLOWED = { follow: null, read_seq: 0 }
const UNTOLD = { follow: undefined, read_seq: undefined }

/** Describes the same thread as the server lists it. */
function describeFresh({ messageIds }: SeenThread, fresh: ListedThread, view: ThreadView): string {
  const isTold = messageIds !== undefined || view.follows.has(fresh.id)
  const { follow, read_seq } = isTold ? fresh.own : UNTOLD
  const count = messageIds === undefined ? undefined : fresh.message_count
  return JSON.stringify([shapeOf(fresh, fresh.tags), count, follow, read_seq])
}

function shapeOf(thread: Thread, tags: readonly string[] | undefined) {
  const { id, title, creator_id, starter_message_id, is_closed, is_pinned, solved_message_id } = thread
  return { id, title, creator_id, starter_message_id, is_closed, is_pinned, solved_message_id, tags }
}

interface Fresh {
  client: Client
  recorder: Recorder
  /** All threads of the rooms whose threads the client receives, as the server lists them. */
  listed: readonly ListedThread[]
}

/** Checks that the lists of rooms, the user's list of followed threads, and the count in READY agree. */
async function auditFollowed(
  url: string,
  person: Person,
  { client, listed, recorder }: Fresh,
  { findings }: ThreadAudit,
): Promise<void> {
  const ready = await askReady(url, person)
  const api = client.api(ThreadRooms)
  const isHeard = ({ room_id }: Thread) => recorder.threads.hears(room_id)
  const followed = (
    await readPages((before) => api.listFollowed({ forums: true, limit: PAGE, ...before }))
  ).filter(isHeard)
  const unread = await readPages((before) =>
    api.listFollowed({ forums: true, unread: true, limit: PAGE, ...before }),
  )
  const told = {
    followed: idsOf(listed.filter(({ own }) => own.follow !== null)),
    unread: idsOf(listed.filter(isUnread)),
    count: ready?.followed_thread_count_unread,
  }
  const heardUnread = unread.filter(isHeard)
  const read = { followed: idsOf(followed), unread: idsOf(heardUnread), count: heardUnread.length }
  if (JSON.stringify(told) !== JSON.stringify(read))
    findings.add('diverged', 'lists of followed threads differ', { userId: person.id, told, read })
}

function isUnread({ own }: ListedThread): boolean {
  return own.follow !== null && own.follow !== 'muted' && own.unread_count > 0
}

function idsOf(threads: readonly Thread[]): string[] {
  return threads.map(({ id }) => id).toSorted()
}

function readRoom(client: Client, roomId: string): Promise<ListedThread[]> {
  const api = client.api(ThreadRooms)
  return readPages((before) => api.list(roomId, { limit: PAGE, ...before }))
}

/** Reads all pages of a list. Pinned posts are only on the first page, so no thread is read twice. */
async function readPages(
  readPage: (before: { before?: string }) => Promise<ThreadPage>,
): Promise<ListedThread[]> {
  const threads: ListedThread[] = []
  let page = await readPage({})
  for (;;) {
    threads.push(...page.threads)
    if (page.next === null) return threads
    page = await readPage({ before: page.next })
  }
}
