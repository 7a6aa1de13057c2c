import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Random } from '#test/fuzz/random.ts'
import { changeWeb, newActor, type WebScene } from '#test/model/web-changes.ts'
import {
  dueMessages,
  dueNames,
  dueThreads,
  isAnswered,
  isReadable,
  type Said,
  type StartedThread,
  type WebModel,
  type WebRoomModel,
} from '#test/model/web-model.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { makeForum } from '#test/scenes/forums.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { monthOf } from './paths.ts'

/** Changes, after each of which all pages are compared with the rule. */
const STATES = Number(process.env.WEB_PAGE_STATES ?? 150)
const SEED = Number(process.env.WEB_PAGE_SEED ?? 7)

let processes: Processes
/** Counts of everything that pages showed. */
const seen = { messages: 0, names: 0, titles: 0, answers: 0 }
before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
})
after(() => processes?.close())

/** Reads a page, from one of the processes, and those that go on from it. */
async function readAll({ servers, roll }: WebScene, path: string): Promise<{ status: number; text: string }> {
  const { url } = servers[roll(2)] ?? servers[0]
  const answer = await fetch(new URL(path, url))
  let text = await answer.text()
  let next = laterIn(text)
  while (next !== undefined) {
    const later = await (await fetch(new URL(next, url))).text()
    text += later
    next = laterIn(later)
  }
  return { status: answer.status, text }
}

function laterIn(text: string): string | undefined {
  return /<link rel="next" href="([^"]+)">/.exec(text)?.[1]
}

const found = (text: string, kind: 'token' | 'title') => new Set(text.match(new RegExp(`${kind}\\d+x`, 'g')))
const namesIn = (text: string) => new Set(text.match(/person\d+n/g))

/** Compares what a page says of messages with the rule. */
function compareMessages({ model }: WebScene, text: string, due: readonly Said[]): void {
  const tokens = found(text, 'token')
  assert.deepEqual(tokens, new Set(due.map(({ token }) => token)))
  const names = namesIn(text)
  assert.deepEqual(names, dueNames(model, due))
  seen.messages += tokens.size
  seen.names += names.size
}

async function compareRoom(scene: WebScene, room: WebRoomModel): Promise<void> {
  const { space, model } = scene
  const status = isReadable(model, room) ? 200 : 404
  const path = `/read/${space.id}/${room.id}-${room.name}`
  const due = dueMessages(model, room)
  const month = await readAll(scene, `${path}/${monthOf(Date.now())}`)
  const feed = await readAll(scene, `${path}/feed.atom`)
  assert.deepEqual([month.status, feed.status], [status, status])
  compareMessages(scene, month.text, due)
  if (room.isForum) compareTitles(scene, feed.text, room)
  else compareMessages(scene, feed.text, due.slice(-30))
  await compareLists(scene, room, path)
}

/** Lists may lack what is new for a minute, and have nothing else. */
async function compareLists(scene: WebScene, room: WebRoomModel, path: string): Promise<void> {
  const list = await readAll(scene, path)
  const map = await readAll(scene, `${path}/sitemap.xml`)
  const status = isReadable(scene.model, room) ? 200 : 404
  assert.deepEqual([list.status, map.status], [status, status])
  compareTitles(scene, list.text, room)
  compareTitles(scene, map.text, room)
  const isNamed = [list, map].some(({ text }) => text.includes(`/${monthOf(Date.now())}`))
  if (dueMessages(scene.model, room).length === 0) assert.equal(isNamed, false, 'a month without messages')
  const answered = list.text.match(/answered/g)?.length ?? 0
  const due = dueThreads(scene.model, room).filter((thread) => isAnswered(scene.model, thread))
  assert.ok(answered <= due.length, 'an answer that cannot be read')
  seen.answers += answered
}

function compareTitles({ model }: WebScene, text: string, room: WebRoomModel): void {
  const due = new Set(dueThreads(model, room).map(({ title }) => title))
  const titles = found(text, 'title')
  assert.deepEqual(titles.difference(due), new Set())
  seen.titles += titles.size
}

async function compareThread(scene: WebScene, thread: StartedThread): Promise<void> {
  const { space, model } = scene
  const isDue = dueThreads(model, thread.room).includes(thread)
  const { status, text } = await readAll(
    scene,
    `/read/${space.id}/${thread.room.id}/t/${thread.id}-${thread.title}`,
  )
  assert.equal(status, isDue ? 200 : 404)
  assert.deepEqual(found(text, 'title'), new Set(isDue ? [thread.title] : []))
  compareMessages(scene, text, dueMessages(model, thread.room, thread))
}

/** Repeats a check that other processes may pass a moment later. */
async function within(milliseconds: number, check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + milliseconds
  let failure: unknown = await check().catch(asValue)
  while (failure !== undefined && Date.now() < deadline) failure = await check().catch(asValue)
  if (failure !== undefined) throw failure
}

function asValue(error: unknown): unknown {
  return error ?? new Error('failed')
}

async function prepare(): Promise<WebScene> {
  const { servers } = processes
  const operator = await createOperator(servers[0], 'operator')
  const model: WebModel = {
    isAllowed: false,
    isFrozen: false,
    rooms: [],
    presence: new Map(),
    said: [],
    threads: [],
    cast: [],
  }
  for (const name of ['person0n', 'person1n', 'person2n'])
    model.cast.push(await newActor({ servers, model }, name))
  const [owner, ...others] = model.cast
  assert.ok(owner)
  const space = await makeSpace(
    owner.person,
    others.map(({ person }) => person),
  )
  const { client } = owner.person
  const [general] = space.rooms.filter(({ id }) => id === space.general)
  const second = await client.rooms.create(space.id, { name: 'second', type: 1 })
  const forum = await makeForum(owner.person, space)
  model.rooms = [general, second, forum]
    .flatMap((room) => room ?? [])
    .map(({ id, name }) => ({
      id,
      name: name.toLowerCase(),
      isForum: id === forum.id,
      isOpen: true,
      onWebSince: undefined,
    }))
  const { code: invite } = await client.invites.create(space.id, space.general)
  const random = new Random(SEED)
  const roll = (sides: number) => Math.floor(random.next() * sides)
  return { servers, space, invite, operator, owner, roll, model, count: 10 }
}

test('WEBPAGE-2, WEBPAGE-3, WEBPAGE-4, WEBPAGE-5, WEBPAGE-15: within a second of each change, on every process, pages show what the rule says', {
  skip: withoutValkey,
}, async () => {
  const scene = await prepare()
  for (let state = 0; state < STATES; state += 1) {
    await changeWeb(scene)
    for (const room of scene.model.rooms) await within(1000, () => compareRoom(scene, room))
    for (const thread of scene.model.threads) await within(1000, () => compareThread(scene, thread))
  }
  assert.ok(
    seen.messages > STATES && seen.names > STATES / 3 && seen.titles > STATES / 3 && seen.answers > 0,
    JSON.stringify(seen),
  )
})
