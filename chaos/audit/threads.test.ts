import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventName } from '@foyer/protocol/events'
import { Opcode } from '@foyer/protocol/gateway'
import { RoomType } from '@foyer/protocol/rooms'
import type { ListedThread } from '@foyer/protocol/thread-rooms'
import { parseFrame } from '@foyer/sdk/frames'
import { Subscribers } from '@foyer/sdk/subscribers'
import { Recorder } from '../listening/recorder.ts'
import { Ledger } from '../world/ledger.ts'
import { Sights } from '../world/sight.ts'
import { Findings } from './findings.ts'
import { compareThreads } from './threads.ts'

const ROOM = 'room'
const FORUM = 'forum'
const BOTH = ['threads', 'forums']

test('a client that was told everything about a thread has no findings', () => {
  const stage = openStage(BOTH)
  const thread = stage.begin(ROOM)
  stage.say(thread, 1)
  stage.emit('THREAD_FOLLOW_UPDATE', followOf(thread, 'all', 1))
  assert.deepEqual(
    stage.compare([{ ...thread, message_count: 1, own: { ...thread.own, follow: 'all', read_seq: 1 } }]),
    {},
  )
})

test('a thread that differs from the list has diverged: its title, count, follow or read state', () => {
  const stage = openStage(BOTH)
  const thread = stage.begin(ROOM)
  stage.say(thread, 1)
  const fresh = { ...thread, message_count: 1 }
  assert.deepEqual(stage.compare([fresh]), {})
  assert.deepEqual(stage.compare([{ ...fresh, title: 'Thread 99' }]), { diverged: 1 })
  assert.deepEqual(stage.compare([{ ...fresh, message_count: 2 }]), { diverged: 2 })
  assert.deepEqual(stage.compare([{ ...fresh, own: { ...fresh.own, follow: 'all' } }]), { diverged: 3 })
  assert.deepEqual(stage.compare([{ ...fresh, own: { ...fresh.own, read_seq: 1 } }]), { diverged: 4 })
  assert.deepEqual(stage.compare([]), { diverged: 5 })
})

test('a thread begun after the client received its room must be told, an earlier one not', () => {
  const early = openStage(BOTH)
  const before = threadIn(ROOM, early.ledger.threads.newTitle())
  early.emit('READY', ready())
  assert.deepEqual(early.compare([before]), {})
  const late = openStage(BOTH)
  const untold = threadIn(ROOM, late.ledger.threads.newTitle())
  assert.deepEqual(late.compare([untold]), { diverged: 1 })
})

test('a resume that repeats what was before leaves a thread as it is', () => {
  const stage = openStage(BOTH)
  const first = threadIn(ROOM, stage.ledger.threads.newTitle())
  const renamed = { ...first, title: stage.ledger.threads.newTitle(), message_count: 1 }
  stage.emit('THREAD_UPDATE', renamed, '2')
  stage.emit('THREAD_CREATE', first, '1')
  assert.deepEqual(stage.compare([renamed]), {})
})

test('a thread that is known only by its messages is forgotten with its room', () => {
  const stage = openStage(BOTH)
  const thread = threadIn(ROOM, stage.ledger.threads.newTitle())
  stage.say(thread, 4)
  assert.ok(stage.channels.has(thread.id))
  stage.emit('ROOM_DELETE', { space_id: 'space', room_id: ROOM })
  assert.ok(!stage.channels.has(thread.id))
})

test('a deleted tag leaves the posts that a client knows', () => {
  const stage = openStage(BOTH)
  const post = { ...stage.begin(FORUM), tags: ['kept', 'gone'] }
  stage.emit('THREAD_UPDATE', post)
  stage.emit('ROOM_UPDATE', roomOf(FORUM, ['kept']))
  assert.deepEqual(stage.compare([{ ...post, tags: ['kept'] }]), {})
})

test('events of threads, forums and posts are leaked to clients that did not ask for them', () => {
  const old = openStage([])
  assert.deepEqual(old.counts(), { leaked: 1 })
  old.say(old.begin(ROOM), 1)
  assert.equal(old.counts().leaked, 3)
  const half = openStage(['threads'])
  const thread = half.begin(ROOM)
  half.say(thread, 1)
  assert.deepEqual(half.counts(), { leaked: 1 })
  const post = half.begin(FORUM)
  half.say(post, 1)
  half.emit('THREAD_FOLLOW_UPDATE', { ...followOf(post, 'all', 0), in_forum: true })
  assert.equal(half.counts().leaked, 4)
})

test('a thread begun after the loss of its room is leaked', async () => {
  const stage = openStage(BOTH)
  stage.sights.set('ann', ROOM, 'no')
  stage.begin(ROOM)
  assert.deepEqual(stage.counts(), { leaked: 1 })
})

test('a message after the end of its thread, or of a thread in an unknown room, is unordered', () => {
  const stage = openStage(BOTH)
  const thread = stage.begin(ROOM)
  stage.emit('THREAD_DELETE', { id: thread.id, room_id: ROOM, space_id: 'space' })
  stage.say(thread, 1)
  assert.deepEqual(stage.counts(), { unordered: 1 })
  stage.emit('ROOM_DELETE', { space_id: 'space', room_id: ROOM })
  stage.begin(ROOM)
  assert.equal(stage.counts().unordered, 2)
})

test('a moved message may have another number in its new thread, and in no other', () => {
  const stage = openStage(BOTH)
  const [from, into, other] = [stage.begin(ROOM), stage.begin(ROOM), stage.begin(ROOM)]
  const entry = stage.say(from, 1)
  entry.moves.push(into.id)
  stage.say(into, 1, entry)
  assert.deepEqual(stage.counts(), {})
  assert.deepEqual(stage.ledger.homesOf(entry), [from.id, into.id])
  entry.ackedMoves = 1
  assert.deepEqual(stage.ledger.homesOf(entry), [into.id])
  stage.ledger.threads.merge(into.id, other.id)
  assert.deepEqual(stage.ledger.homesOf(entry), [into.id, other.id])
  stage.say(from, 2, entry)
  assert.deepEqual(stage.counts(), { doubled: 1 })
})

test('a moved message may come again after a replay of its creation in its former thread, and only then', () => {
  const stage = openStage(BOTH)
  const [from, into] = [stage.begin(ROOM), stage.begin(ROOM)]
  const entry = stage.ledger.begin(from.id, 'eve', 'hello', ROOM)
  entry.moves.push(into.id)
  for (const thread of [into, from, into]) stage.say(thread, 1, entry)
  assert.deepEqual(stage.counts(), {})
  stage.say(into, 1, entry)
  assert.deepEqual(stage.counts(), { doubled: 1 })
  stage.say(from, 1, entry)
  assert.deepEqual(stage.counts(), { doubled: 2 })
})

/** A client of Ann, who can see a text room and a forum. */
function openStage(capabilities: readonly string[]) {
  const findings = new Findings()
  const ledger = new Ledger(findings)
  const sights = new Sights()
  const wire = new Subscribers()
  const tally = { journaled: 0, deliveries: 0, old: 0, resumes: 0, replayed: 0, readies: 0 }
  const gateway = { onAny: wire.onAny.bind(wire), onState: () => () => true }
  const recorder = new Recorder(gateway, { userId: 'ann', capabilities, ledger, sights, findings, tally })
  ledger.threads.addForum(FORUM)
  for (const id of [ROOM, FORUM]) sights.set('ann', id, 'yes')
  emit('READY', ready())
  const { channels } = recorder
  return { ledger, sights, channels, emit, begin, say, compare, counts }

  function emit(name: EventName, data: object, s?: string): void {
    const frame = parseFrame(JSON.stringify({ op: Opcode.Dispatch, t: name, s, d: data }))
    if (frame?.op === Opcode.Dispatch) wire.emit(frame)
  }

  function begin(roomId: string): ListedThread {
    const thread = threadIn(roomId, ledger.threads.newTitle())
    emit('THREAD_CREATE', thread)
    return thread
  }

  function say(
    { id, room_id }: ListedThread,
    seq: number,
    entry = ledger.begin(id, 'eve', 'hello', room_id),
  ) {
    const message = { id: `message ${entry.number}`, seq, content: entry.content, author: { id: 'eve' } }
    emit('MESSAGE_CREATE', { ...message, room_id: id, conversation_id: null, parent_room_id: room_id })
    return entry
  }

  /** Compares with the threads that the list of the room, or the forum, now has. */
  function compare(fresh: readonly ListedThread[]) {
    const roomId = fresh[0]?.room_id ?? ROOM
    const who = { userId: 'ann', trace: [], roomId }
    compareThreads(who, recorder.threads.view, fresh, { threads: ledger.threads, findings })
    return counts()
  }

  function counts(): Partial<Record<string, number>> {
    return Object.fromEntries(Object.entries(findings.counts()).filter(([, count]) => count > 0))
  }
}

function ready() {
  const rooms = [roomOf(ROOM), roomOf(FORUM, ['kept', 'gone'])]
  return {
    spaces: [{ id: 'space', rooms, roles: [], overwrites: [], member: { roles: [] } }],
    conversations: [],
  }
}

function roomOf(id: string, tags: readonly string[] = []) {
  const room = { id, space_id: 'space', last_seq: 0, type: id === FORUM ? RoomType.Forum : RoomType.Text }
  return id === FORUM ? { ...room, forum: { tags: tags.map((tag) => ({ id: tag })) } } : room
}

let threads = 0

function threadIn(roomId: string, title: string): ListedThread {
  threads += 1
  const at = new Date(0).toISOString()
  return {
    id: `thread ${threads}`,
    space_id: 'space',
    room_id: roomId,
    type: 4,
    title,
    creator_id: 'eve',
    starter_message_id: null,
    quiet_minutes: 0,
    is_asleep: false,
    is_closed: false,
    message_count: 0,
    last_message_id: null,
    last_seq: 0,
    active_at: at,
    created_at: at,
    updated_at: at,
    own: { follow: null, read_seq: 0, unread_count: 0, mention_count: 0 },
  }
}

function followOf({ id }: ListedThread, follow: string, readSeq: number) {
  return { thread_id: id, follow, read_seq: readSeq, unread_count: 0, mention_count: 0 }
}
