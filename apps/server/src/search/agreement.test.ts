import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { type SearchMessagesQuery, searchKinds } from '@foyer/protocol/search'
import fc from 'fast-check'
import { sql } from '#src/kernel/sql/sql.ts'
import { note } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { scanMessages } from '#test/search-model.ts'
import { findEveryWay } from '#test/search-ways.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'
import { indexMessages } from './index-changes.ts'
import { readQuestion } from './scope.ts'

const RUNS = 100
const QUERIES_A_RUN = 6
const MAX_WAIT_MS = 10_000

/** Words with common prefixes, in many scripts, cases and normal forms. */
const TERMS =
  'plan Plänе planet PLANE p a A i tea Tee teaTime straße STRASSE Straßen οδός ΟΔΟΣ οδ İstanbul ıstan istan ёлка Елка مُحَمَّد محمد 한국어 한국 한 日本語 日本 日 がく かく ｶﾅ カナ किताब कि ก็ กิน résumé resume ﬁne fine ｆｏｏ foo foobar 𝐟𝐨𝐨 42 ４２ 4 x² x2 𐐀𐐁 𐐨'.split(
    ' ',
  )
const JOINTS = [' ', ', ', ' -- ', '\n', ' 🎉 ', '/', "'"]

let server: TestServer
let space: TestSpace
let people: Person[]
let bot: Person
let roomIds: string[]
/** Rooms that each person may view. The owner views all. */
let views: { searcher: Person; roomIds: Set<string> }[]
const messages = new Map<string, Message>()

before(async () => {
  server = await startTestServer()
  people = await Promise.all(['ada', 'eve', 'bob'].map((name) => createPerson(server, name)))
  const [ada, eve, bob] = people
  assert.ok(ada && eve && bob)
  bot = await createApplicationBot(server, ada, { name: 'Embedder' })
  space = await makeSpace(ada, [eve, bob])
  await ada.client.members.addBot(space.id, bot.id)
  await addStorage(server, space.id)
  roomIds = [space.general]
  for (const name of ['two', 'three', 'four'])
    roomIds.push((await ada.client.rooms.create(space.id, { name, type: 1 })).id)
  views = people.map((searcher) => ({ searcher, roomIds: new Set(roomIds) }))
  await setVisible(1, 1, false)
  await setVisible(2, 0, false)
  await setVisible(2, 3, false)
  await sendFiles(ada)
})
after(() => server.close())

/** @param view index of a person other than the owner */
async function setVisible(view: number, room: number, isVisible: boolean): Promise<void> {
  const [searcher, roomId] = [views[view]?.searcher, roomIds[room] ?? '']
  const flags = { allow_flags: 0, deny_flags: isVisible ? 0 : Permission.ViewChannels }
  const overwrite = { target_id: searcher?.id ?? '', target_type: 1, ...flags }
  await people[0]?.client.overwrites.upsert(space.id, roomId, overwrite)
  if (isVisible) views[view]?.roomIds.add(roomId)
  else views[view]?.roomIds.delete(roomId)
}

/** Sends one file of each kind. Kinds that take long to make are text files with a changed type. */
async function sendFiles(person: Person): Promise<void> {
  for (const type of ['text/plain', 'image/png', 'video/mp4', 'audio/mpeg']) {
    const file = type === 'image/png' ? await png() : note('x')
    const roomId = roomIds[messages.size % roomIds.length] ?? ''
    const sent = await person.client.messages.createWithFiles(roomId, { content: `foo ${type}` }, [file])
    await server.deps.database.transaction(async (transaction) => {
      await transaction.query(sql`
        update attachments set content_type = ${type} where tenant_id = ${space.id} and message_id = ${sent.id}`)
      await indexMessages(transaction, { tenantId: space.id, channelId: roomId }, [sent.id])
    })
    messages.set(sent.id, await person.client.messages.get(roomId, sent.id))
  }
}

const text = fc
  .tuple(fc.array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 6 }), fc.constantFrom(...JOINTS))
  .map(([terms, joint]) => terms.join(joint))
const anyPerson = fc.nat(2)
const anyRoom = fc.nat(3)
const anyMessage = fc.nat(999)

type Change =
  | { kind: 'send'; person: number; room: number; text: string; mention: number | null; hasLink: boolean }
  | { kind: 'embed' | 'forward'; room: number; text: string; message: number }
  | { kind: 'edit'; message: number; text: string }
  | { kind: 'delete' | 'pin' | 'unpin'; message: number }
  | { kind: 'hide' | 'show'; view: number; room: number }

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      person: anyPerson,
      room: anyRoom,
      text,
      mention: rarely(anyPerson, 3),
      hasLink: fc.boolean(),
    }),
  },
  fc.record({
    kind: fc.constantFrom('embed' as const, 'forward' as const),
    room: anyRoom,
    text,
    message: anyMessage,
  }),
  fc.record({ kind: fc.constant('edit' as const), message: anyMessage, text }),
  fc.record({
    kind: fc.constantFrom('delete' as const, 'pin' as const, 'unpin' as const),
    message: anyMessage,
  }),
  fc.record({
    kind: fc.constantFrom('hide' as const, 'show' as const),
    view: fc.integer({ min: 1, max: 2 }),
    room: anyRoom,
  }),
)

interface Question {
  view: number
  terms: { term: string; letters: number }[]
  authors: number[] | null
  mentions: number[] | null
  rooms: number[] | null
  has: (typeof searchKinds)[number][] | null
  pinned: boolean | null
  after: { message: number; shift: number } | null
  before: { message: number; shift: number } | null
  cursor: number | null
  limit: number | null
}

const several = <T>(one: fc.Arbitrary<T>) => rarely(fc.array(one, { minLength: 1, maxLength: 3 }))
const time = rarely(fc.record({ message: anyMessage, shift: fc.integer({ min: -1, max: 1 }) }))
const question: fc.Arbitrary<Question> = fc.record({
  view: anyPerson,
  terms: fc.array(fc.record({ term: fc.constantFrom(...TERMS), letters: fc.integer({ min: 1, max: 8 }) }), {
    maxLength: 2,
  }),
  authors: several(fc.nat(3)),
  mentions: several(anyPerson),
  rooms: several(anyRoom),
  has: several(fc.constantFrom(...searchKinds)),
  pinned: rarely(fc.boolean()),
  after: time,
  before: time,
  cursor: rarely(anyMessage),
  limit: rarely(fc.integer({ min: 1, max: 50 }), 3),
})

/** Generates a value once in `rarity` times, otherwise null. */
function rarely<T>(one: fc.Arbitrary<T>, rarity = 6): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: rarity - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one })
}

function pick(index: number): Message | undefined {
  return [...messages.values()].at(index % Math.max(1, messages.size))
}

async function apply(change: Change): Promise<void> {
  if (change.kind === 'send') return keep(await send(change))
  if ('view' in change) return setVisible(change.view, change.room, change.kind === 'show')
  const message = pick(change.message)
  return message && applyTo(message, change)
}

type ChangeOfMessage = Extract<Change, { message: number }>

async function applyTo(message: Message, change: ChangeOfMessage): Promise<void> {
  const owner = people[0]
  assert.ok(owner)
  const [roomId, id] = [message.room_id ?? '', message.id]
  if (change.kind === 'embed') return keep(await sendEmbed(roomIds[change.room] ?? '', change.text))
  if (change.kind === 'edit') return edit(message, change.text)
  if (change.kind === 'forward') {
    const reference = { type: 1, message_id: id, room_id: roomId }
    return keep(await owner.client.messages.create(roomIds[change.room] ?? '', { reference }))
  }
  if (change.kind === 'delete') {
    await owner.client.messages.delete(roomId, id)
    messages.delete(id)
    return undefined
  }
  await owner.client.pins[change.kind === 'pin' ? 'add' : 'remove'](roomId, id)
  return keep(await owner.client.messages.get(roomId, id))
}

/** Forwards have no text of their own to edit. */
async function edit(message: Message, content: string): Promise<void> {
  const author = [...people, bot].find((person) => person.id === message.author.id)
  const visible = views.find(({ searcher }) => searcher === author)?.roomIds ?? new Set(roomIds)
  const roomId = message.room_id ?? ''
  if (author === undefined || message.snapshot !== null || !visible.has(roomId)) return
  keep(await author.client.messages.update(roomId, message.id, { content }))
}

function sendEmbed(roomId: string, content: string): Promise<Message> {
  return bot.client.messages.create(roomId, { content, embeds: [{ title: 'Embedded' }] })
}

function keep(message: Message): void {
  messages.set(message.id, message)
}

function send(sent: Extract<Change, { kind: 'send' }>): Promise<Message> {
  const mention = sent.mention === null ? '' : ` <@${people[sent.mention]?.id}>`
  const content = `${sent.text}${mention}${sent.hasLink ? ' HTTPS://example.org/plan' : ''}`
  // The owner sends in place of people who may not view the room.
  const mayWrite = views[sent.person]?.roomIds.has(roomIds[sent.room] ?? '')
  const author = people[mayWrite ? sent.person : 0]
  assert.ok(author)
  return author.client.messages.create(roomIds[sent.room] ?? '', { content })
}

function queryOf(asked: Question, visible: ReadonlySet<string>): SearchMessagesQuery {
  const users = [...people.map(({ id }) => id), bot.id]
  const timeOf = (at: Question['after']) => {
    const message = at === null ? undefined : pick(at.message)
    return message && new Date(Date.parse(message.created_at) + (at?.shift ?? 0)).toISOString()
  }
  const idsOf = (indices: readonly number[] | null, from: readonly string[]) =>
    indices?.map((index) => from[index] ?? '')
  const rooms = idsOf(asked.rooms, roomIds)?.filter((id) => visible.has(id))
  const query = {
    query: asked.terms.map(({ term, letters }) => [...term].slice(0, letters).join('')).join(' '),
    author_id: idsOf(asked.authors, users),
    mentions: idsOf(asked.mentions, users),
    room_id: rooms?.length === 0 ? undefined : rooms,
    has: asked.has ?? undefined,
    pinned: asked.pinned ?? undefined,
    after: timeOf(asked.after),
    before: timeOf(asked.before),
    cursor: asked.cursor === null ? undefined : pick(asked.cursor)?.id,
    limit: asked.limit ?? undefined,
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** Costs decide which strategy a search uses, and costs are low here: each strategy must find the same. */
async function checkEveryWay(
  view: { roomIds: ReadonlySet<string> },
  query: SearchMessagesQuery,
  expected: readonly string[],
): Promise<void> {
  const wanted = [...view.roomIds].filter((id) => query.room_id?.includes(id) ?? true)
  if (wanted.length === 0) return
  const scope = { ...readQuestion(space.id, query), channelIds: wanted }
  const isWhole = wanted.length === roomIds.length
  const deadline = performance.now() + MAX_WAIT_MS
  const found = await server.deps.searchReader.run(deadline, (database) =>
    findEveryWay(database, scope, isWhole),
  )
  for (const [way, ids] of Object.entries(found))
    assert.deepEqual(ids.slice(0, expected.length), expected, way)
}

test('SEARCH-5: a search finds exactly what checking every message finds', async () => {
  let [asked, found] = [0, 0]
  const run = fc.record({
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    questions: fc.array(question, { minLength: QUERIES_A_RUN, maxLength: QUERIES_A_RUN }),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ changes, questions }) => {
      for (const change of changes) await apply(change)
      await Promise.all(
        questions.map(async (question, index) => {
          const view = views[question.view]
          assert.ok(view)
          const query = queryOf(question, view.roomIds)
          const expected = scanMessages([...messages.values()], view.roomIds, query)
          const { cursor: _cursor, limit: _limit, query: text = '', ...filters } = query
          if (Object.keys(filters).length === 0 && !/[\p{L}\p{N}]/u.test(text)) return
          const answer = await view.searcher.client.search.space(space.id, query)
          const ids = answer.messages.map(({ id }) => id)
          assert.deepEqual({ ids, hasMore: answer.has_more }, expected, JSON.stringify(query))
          if (index === 0) await checkEveryWay(view, query, expected.ids)
          asked += 1
          found += ids.length
        }),
      )
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  assert.ok(asked >= 500, `${asked} searches`)
  // Most searches find something, so the comparison means something.
  assert.ok(found > asked, `${found} results`)
})
