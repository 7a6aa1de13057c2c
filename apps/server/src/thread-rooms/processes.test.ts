import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { RoomType } from '@foyer/protocol/rooms'
import { followLevels } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { Random } from '#test/fuzz/random.ts'
import { type GatewayClient, openGateway, openSession } from '#test/gateway-client.ts'
import { describedBy, type ShownThread, ThreadModel } from '#test/model/thread-model.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

const STEPS = Number(process.env.THREAD_STEPS ?? 300)
const SEED = Number(process.env.THREAD_SEED ?? 2)

let processes: Processes

before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
})
after(() => processes?.close())

interface Scene {
  space: TestSpace
  /** A forum with two tags that stay. */
  forum: { id: string; tags: readonly string[] }
  /** The owner, the person whose clients are compared, and another member. */
  cast: readonly [Person, Person, Person]
  roll: (sides: number) => number
  threadIds: string[]
  /** Messages and their places when they were written. */
  written: { id: string; channelId: string }[]
}

/** Changes something by a request to either server. Nothing may fail but for what a change before it took away. */
async function step({ space, forum, cast, roll, threadIds, written }: Scene): Promise<void> {
  const [owner, eve] = cast.map((person) => person.at(processes.servers[roll(2)] ?? processes.servers[0]))
  const speaker = cast[roll(3)]?.at(processes.servers[roll(2)] ?? processes.servers[0])
  assert.ok(owner && eve && speaker)
  const threadId = threadIds[roll(threadIds.length)]
  const other = threadIds[roll(threadIds.length)]
  const say = async (channelId: string) => {
    const content = roll(4) === 0 ? `<@${eve.id}> look` : 'words'
    const answer = await speaker.call('POST', `/api/rooms/${channelId}/messages`, { content })
    if (answer.status < 300) written.push({ id: Object(answer.body).id, channelId })
    return answer
  }
  const start = async (inForum = roll(2) === 0) => {
    const hasMessage = inForum || roll(2) === 0
    const body = { title: `thread ${threadIds.length}`, ...(hasMessage && { content: 'first' }) }
    const roomId = inForum ? forum.id : space.general
    const answer = await speaker.call('POST', `/api/rooms/${roomId}/threads`, body)
    threadIds.push(Object(answer.body).id)
    return answer
  }
  const message = written[roll(written.length)]
  const path = `/api/threads/${threadId}`
  const level = followLevels[roll(followLevels.length)]
  const ways = [
    () => say(threadId ?? ''),
    () => say(threadId ?? ''),
    () => say(space.general),
    start,
    () => eve.call('PUT', `${path}/follow`, { level }),
    () => eve.call('DELETE', `${path}/follow`),
    () => eve.call('POST', `/api/rooms/${message?.channelId}/messages/${message?.id}/ack`),
    () => owner.call('POST', `${path}/move`, { message_ids: [message?.id] }),
    () => owner.call('PATCH', path, { is_closed: roll(2) === 0, title: `title ${roll(1000)}` }),
    () => owner.call('PATCH', path, { tags: forum.tags.filter(() => roll(2) === 0) }),
    () => owner.call('PATCH', path, { is_pinned: roll(2) === 0 }),
    () => owner.call('PUT', `${path}/solution`, { message_id: message?.id }),
    () => owner.call('DELETE', `${path}/solution`),
    () => owner.call('DELETE', `/api/rooms/${message?.channelId}/messages/${message?.id}`),
    () => (roll(4) === 0 ? owner.call('POST', `${path}/merge`, { into: other }) : start()),
    () => (roll(8) === 0 ? owner.call('DELETE', path) : say(threadId ?? '')),
  ]
  const answer = threadIds.length === 0 ? await start() : await ways[roll(ways.length)]?.()
  assert.ok(answer !== undefined && answer.status < 500, `${answer?.status} ${answer?.code}`)
}

async function makeForum({ client }: Person, spaceId: string): Promise<Scene['forum']> {
  const { id } = await client.rooms.create(spaceId, { name: 'Forum', type: RoomType.Forum })
  const tags = [{ name: 'one' }, { name: 'two' }]
  const { forum } = await client.rooms.update(spaceId, id, { forum: { tags } })
  return { id, tags: forum?.tags.map((tag) => tag.id) ?? [] }
}

async function comeTo(server: { url: string }, { id }: Person): Promise<GatewayClient> {
  const { token, session_token } = await openSession(processes.servers[0], id)
  const client = await openGateway(server)
  client.send(Opcode.Identify, { token, session_token, capabilities: ['threads', 'forums'] })
  await client.findEvent('READY')
  return client
}

/** Reads what a fresh client reads. */
async function readAll(person: Person, roomId: string): Promise<Record<string, ShownThread>> {
  const { threads } = await person.client.api(ThreadRooms).list(roomId, { limit: 100 })
  const shown = await Promise.all(
    threads.map(async (thread) => {
      const { id, own, message_count } = thread
      const { follow, read_seq } = own
      const messages = (await person.client.messages.list(id, { limit: 100 })).toReversed()
      const message_ids = messages.map((each) => each.id)
      assert.equal(message_count, message_ids.length)
      return [id, { ...describedBy(thread), message_ids, follow, read_seq }] as const
    }),
  )
  return Object.fromEntries(shown)
}

test('TROOM-8, TROOM-10, FORUM-3: clients of both processes are told what fresh clients read, after any changes', {
  skip: withoutValkey,
}, async () => {
  const [one, other] = processes.servers
  const [ada, eve, bob] = [
    await createPerson(one, 'ada'),
    await createPerson(one, 'eve'),
    await createPerson(one, 'bob'),
  ]
  const space = await makeSpace(ada, [eve, bob])
  const forum = await makeForum(ada, space.id)
  const random = new Random(SEED)
  const roll = (sides: number) => random.below(sides)
  const scene: Scene = { space, forum, cast: [ada, eve, bob], roll, threadIds: [], written: [] }
  const listeners = [await comeTo(one, eve), await comeTo(other, eve)]
  for (let count = 0; count < STEPS; count += 1) await step(scene)
  // Events of one topic arrive in their order, so nothing follows these.
  const last = await ada.client.messages.create(space.general, { content: 'last' })
  const { id } = await eve.client.api(ThreadRooms).create(space.general, { title: 'last' })
  const isLast = (each: { t?: string; d: unknown }) =>
    each.t === 'THREAD_FOLLOW_UPDATE' && Object(each.d).thread_id === id
  for (const listener of listeners) {
    await listener.find(({ d }) => Object(d).id === last.id, 'the last message')
    await listener.find(isLast, 'the last follow')
    await listener.find(({ t, d }) => t === 'THREAD_CREATE' && Object(d).id === id, 'the last thread')
  }
  for (const [index, server] of processes.servers.entries()) {
    const told = new ThreadModel(eve.id, listeners[index]?.frames ?? [])
    const reader = eve.at(server)
    const read = { ...(await readAll(reader, space.general)), ...(await readAll(reader, forum.id)) }
    assert.deepEqual(told.shown, read)
    const fresh = await comeTo(server, eve)
    fresh.close()
    assert.equal(Object(fresh.heard('READY')[0]?.d).followed_thread_count_unread, told.unread)
  }
  for (const listener of listeners) listener.close()
})
