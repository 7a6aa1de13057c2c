import { Forums } from '@foyer/sdk/api/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ApiError } from '@foyer/sdk/rest'
import { changeTags, openForum } from './forum-rooms.ts'
import type { Entry } from './ledger.ts'
import type { ThreadChange, ThreadChangeKind, ThreadTable } from './thread-tenant.ts'
import { type KnownThread, type ThreadedRoom, threadChannel } from './threads.ts'

const MOST_MOVED = 3
/** Maximum number of pinned posts, below the server's limit, because an unanswered request may have pinned another post. */
const MOST_PINNED = 6

/** Changes of threads, posts and forums. */
export const threadChanges: readonly ThreadChangeKind[] = [
  rename,
  close,
  close,
  moveFromRoom,
  moveFromRoom,
  moveFromThread,
  mergeThreads,
  deleteThread,
  setTags,
  setTags,
  replaceTag,
  pin,
  solve,
  solve,
  unsolve,
  exchangeForum,
]

function rename(table: ThreadTable): ThreadChange | undefined {
  const thread = pickThread(table)
  if (thread === undefined) return undefined
  const title = table.ledger.threads.newTitle()
  return { name: 'rename a thread', request: () => threadsOf(table).update(thread.id, { title }) }
}

/** Closes a thread, or opens it again. */
function close(table: ThreadTable): ThreadChange | undefined {
  const thread = pickThread(table)
  if (thread === undefined) return undefined
  const is_closed = toggle(table.closed, thread.id)
  thread.wasClosed = true
  return {
    name: is_closed ? 'close a thread' : 'open a thread',
    request: () => threadsOf(table).update(thread.id, { is_closed }),
  }
}

function moveFromRoom(table: ThreadTable): ThreadChange | undefined {
  const target = pickThread(table, ({ isForum }) => !isForum)
  return target && moveInto(table, target, target.room.id)
}

function moveFromThread(table: ThreadTable): ThreadChange | undefined {
  const pair = pickPair(table)
  return pair && moveInto(table, pair.newer, pair.older.id)
}

/** Moves some of the last messages of a room, or of an older thread. */
function moveInto(table: ThreadTable, target: KnownThread, sourceId: string): ThreadChange | undefined {
  const { recent, dice, ledger } = table
  const some = Array.from({ length: 1 + dice.below(MOST_MOVED) }, () =>
    recent.pickIn(threadChannel(sourceId), dice),
  )
  const entries = [...new Set(some)].filter((entry) => entry !== undefined && entry.moves.length === 0)
  const moved = entries.flatMap((entry) => (entry?.id === undefined ? [] : [{ entry, id: entry.id }]))
  if (moved.length === 0) return undefined
  ledger.threads.receive(target.id)
  for (const { entry } of moved) entry.moves.push(target.id)
  return {
    name: 'move messages into a thread',
    request: () =>
      threadsOf(table).move(
        target.id,
        moved.map(({ id }) => id),
      ),
    note: (thread) => {
      if (thread !== undefined) for (const { entry } of moved) entry.ackedMoves = entry.moves.length
    },
  }
}

/** Merges an older thread into a newer one, so that no message returns to a thread that it has left. */
function mergeThreads(table: ThreadTable): ThreadChange | undefined {
  const pair = pickPair(table)
  if (pair === undefined) return undefined
  const { older, newer } = pair
  table.ledger.threads.merge(older.id, newer.id)
  return { name: 'merge a thread', request: () => threadsOf(table).merge(older.id, newer.id) }
}

function deleteThread(table: ThreadTable): ThreadChange | undefined {
  const thread = pickThread(table)
  if (thread === undefined) return undefined
  table.ledger.threads.doom(thread.id)
  return { name: 'delete a thread', request: () => threadsOf(table).delete(thread.id) }
}

function setTags(table: ThreadTable): ThreadChange | undefined {
  const { dice, passingTags } = table
  const post = pickThread(table, isForum)
  if (post === undefined) return undefined
  const passing = passingTags.get(post.room.id)
  const all = [...post.room.tags, ...(passing === undefined ? [] : [passing, passing])]
  const tags = [...new Set(dice.shuffle(all).slice(0, dice.below(4)))]
  return { name: 'tag a post', request: () => threadsOf(table).update(post.id, { tags }) }
}

/** Deletes a tag, which also removes it from its posts, and creates another. */
function replaceTag(table: ThreadTable): ThreadChange | undefined {
  const { dice, rooms, owner, passingTags, changes } = table
  const forum = dice.pick(rooms.filter(isForum))
  if (forum === undefined) return undefined
  passingTags.delete(forum.id)
  return {
    name: 'change the tags of a forum',
    request: async () => void passingTags.set(forum.id, await changeTags(owner, forum, `${changes}`)),
  }
}

/** Pins or unpins a post. */
function pin(table: ThreadTable): ThreadChange | undefined {
  const { ledger, pinned } = table
  for (const id of pinned) if (ledger.threads.isLeaving(id)) pinned.delete(id)
  const isFull = pinned.size >= MOST_PINNED
  const post = isFull ? ledger.threads.get([...pinned][0] ?? '') : pickThread(table, isForum)
  if (post === undefined) return undefined
  const is_pinned = toggle(pinned, post.id)
  return {
    name: is_pinned ? 'pin a post' : 'unpin a post',
    request: () => threadsOf(table).update(post.id, { is_pinned }),
  }
}

function solve(table: ThreadTable): ThreadChange | undefined {
  const post = pickThread(table, isForum)
  const answer = post && table.recent.pickIn(threadChannel(post.id), table.dice)
  if (post === undefined || answer?.id === undefined || !isReply(table, answer)) return undefined
  const { id } = answer
  return { name: 'solve a post', request: () => forumsOf(table).solve(post.id, id) }
}

/** False for the opening message, and for a message that may have left the post: neither can be the answer. */
function isReply({ ledger }: ThreadTable, entry: Entry): boolean {
  return (entry.seq ?? 1) > 1 && !ledger.mayHaveMoved(entry)
}

function unsolve(table: ThreadTable): ThreadChange | undefined {
  const post = pickThread(table, isForum)
  return post && { name: 'take an answer back', request: () => forumsOf(table).unsolve(post.id) }
}

/** Deletes the forum that the last exchange created, and creates another forum with a post. */
function exchangeForum(table: ThreadTable): ThreadChange {
  const { owner, people, ledger, sights } = table
  const spaceId = table.rooms[0]?.spaceId ?? ''
  return {
    name: 'exchange a forum',
    request: async () => {
      const last = table.passingForum
      if (last !== undefined) {
        ledger.threads.doomAll(last)
        await gone(owner.client.rooms.delete(spaceId, last))
        table.passingForum = undefined
      }
      const forum = await openForum(owner, spaceId, ledger.threads, `Passing ${table.changes}`)
      table.passingForum = forum.id
      // Access is uncertain, because members of the space come and go.
      for (const { id } of people) sights.set(id, forum.id, 'either')
      await post(table, forum)
    },
  }
}

async function post({ owner, ledger }: ThreadTable, room: ThreadedRoom): Promise<void> {
  const opening = ledger.begin('', owner.id, 'opens a passing post', room.id)
  const begunAt = performance.now()
  opening.outcome = 'unclear'
  const title = ledger.threads.newTitle()
  const { id } = await owner.client.api(ThreadRooms).create(room.id, { title, content: opening.content })
  ledger.threads.add({ id, room, creatorId: owner.id, begunAt, wasClosed: false })
  ledger.acknowledgeOpening(opening, id)
}

async function gone(deletion: Promise<void>): Promise<void> {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  })
}

function pickThread(
  { rooms, ledger, dice }: ThreadTable,
  fits: (room: ThreadedRoom) => boolean = () => true,
): KnownThread | undefined {
  const room = dice.pick(rooms.filter(fits))
  return room && ledger.threads.pickBusy(room.id, dice)
}

function pickPair(table: ThreadTable): { older: KnownThread; newer: KnownThread } | undefined {
  const room = table.dice.pick(table.rooms)
  const standing = room === undefined ? [] : table.ledger.threads.standing(room.id)
  const older = table.dice.pick(standing.slice(0, -1).slice(-MOST_PINNED))
  const newer = older && table.dice.pick(standing.slice(standing.indexOf(older) + 1))
  return older && newer && { older, newer }
}

function isForum(room: ThreadedRoom): boolean {
  return room.isForum
}

/** @returns true if the id is now in the set */
function toggle(set: Set<string>, id: string): boolean {
  if (set.delete(id)) return false
  set.add(id)
  return true
}

function threadsOf({ owner }: ThreadTable): ThreadRooms {
  return owner.client.api(ThreadRooms)
}

function forumsOf({ owner }: ThreadTable): Forums {
  return owner.client.api(Forums)
}
