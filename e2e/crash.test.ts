import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '@foyer/protocol/messages'
import { RoomType } from '@foyer/protocol/rooms'
import { Client } from '@foyer/sdk/client'
import { eventually } from './eventually.ts'
import { type Program, startProgram } from './program.ts'

const CRASHES = ['program', 'database too', 'database too'] as const
const WRITERS = 8
/** Minimum number of messages acknowledged between two crashes. */
const MESSAGES_BETWEEN = 150
const PAUSE_MS = 4
const PASSWORD = 'correct horse battery'
const FIRST_ID = '00000000-0000-7000-8000-000000000000'

/** Retries quickly, and as often as necessary. */
const patience = {
  retry: { maxAttempts: 1000, baseDelayMs: 50, maxDelayMs: 200, timeoutMs: 5000 },
  gatewayTimings: { baseDelayMs: 50, maxDelayMs: 200 },
}

let dataDir: string
let program: Program
let listeners: Listener[]

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-e2e-'))
  program = await startProgram({ dataDir })
})
after(async () => {
  for (const { client } of listeners ?? []) client.gateway.close()
  await program.stop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

interface Listener {
  client: Client
  heard: Message[]
  readies: number
  resumptions: number
}

test('JOURNAL-4: a crash loses no acknowledged message, and listeners receive each stored one once and in order', async () => {
  const [ada, eve] = [await signUp('ada'), await signUp('eve')]
  const rooms = await meet(ada, eve)
  listeners = await Promise.all([listen('ada'), listen('eve'), listen('eve')])
  const writing: Writing = { goesOn: true, acknowledged: [] }
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    write(index % 2 === 0 ? ada : eve, { name: `${index}`, rooms, writing }),
  )
  for (const [crashes, crash] of CRASHES.entries()) {
    await everybodyWorks(writing, crashes)
    await crashAndRestart(crash === 'database too')
  }
  await everybodyWorks(writing, CRASHES.length)
  writing.goesOn = false
  await Promise.all(writers)
  const stored = (await Promise.all(rooms.map((room) => readAll(ada, room)))).flat()
  const isBehind = ({ heard }: Listener) => heard.length < stored.length
  await eventually(() => listeners.some(isBehind), false)
  checkHistory(stored, writing.acknowledged)
  for (const listener of listeners) checkHeard(listener, stored)
})

async function signUp(username: string): Promise<Client> {
  const client = new Client({ baseUrl: program.url, ...patience })
  await client.auth.signin({ username, email: `${username}@example.org`, password: PASSWORD })
  return client
}

/** Creates a space with both users. Returns the ids of its two rooms. */
async function meet(host: Client, guest: Client): Promise<string[]> {
  const { space, rooms } = await host.spaces.create({ name: 'Tea' })
  const ids = rooms.filter(({ type }) => type !== RoomType.Category).map(({ id }) => id)
  const { code } = await host.invites.create(space.id, ids[0] ?? '')
  await guest.invites.join(code)
  return ids
}

/** Connects another device of the user and waits for its READY. */
async function listen(username: string): Promise<Listener> {
  const client = new Client({ baseUrl: program.url, ...patience })
  await client.auth.login({ email: username, password: PASSWORD })
  const listener: Listener = { client, heard: [], readies: 0, resumptions: 0 }
  const ready = Promise.withResolvers<void>()
  client.gateway.on('MESSAGE_CREATE', (message) => listener.heard.push(message))
  client.gateway.on('RESUMED', () => {
    listener.resumptions += 1
  })
  client.gateway.on('READY', () => {
    listener.readies += 1
    ready.resolve()
  })
  client.gateway.connect()
  await ready.promise
  return listener
}

interface Writing {
  goesOn: boolean
  acknowledged: Message[]
}

interface Task {
  name: string
  rooms: readonly string[]
  writing: Writing
}

/** Sends one message after another, each when the previous one is acknowledged. */
async function write({ messages }: Client, { name, rooms, writing }: Task): Promise<void> {
  for (let turn = 0; writing.goesOn; turn += 1) {
    const content = `${name} ${turn}`
    const room = rooms[turn % rooms.length] ?? ''
    writing.acknowledged.push(await messages.create(room, { content, nonce: content }))
    await delay(PAUSE_MS)
  }
}

/**
 * Waits until all listeners have resumed after this many crashes, and enough messages were written since the last one.
 */
async function everybodyWorks({ acknowledged }: Writing, crashes: number): Promise<void> {
  const enough = acknowledged.length + MESSAGES_BETWEEN
  const isBack = ({ resumptions }: Listener) => resumptions >= crashes
  await eventually(() => acknowledged.length >= enough && listeners.every(isBack), true)
}

/**
 * Kills the program and starts it again. Its database then shuts down by itself. `withDatabase` kills the database
 * first, so that it loses what it has only in memory.
 */
async function crashAndRestart(withDatabase: boolean): Promise<void> {
  const port = Number(new URL(program.url).port)
  const [pid] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  if (withDatabase) process.kill(Number(pid), 'SIGKILL')
  await program.kill()
  program = await startProgram({ dataDir, port })
}

/** Returns the room's history, oldest first. */
async function readAll(client: Client, roomId: string): Promise<Message[]> {
  const all: Message[] = []
  let page: Message[]
  do {
    page = await client.messages.list(roomId, { after: all.at(-1)?.id ?? FIRST_ID, limit: 100 })
    all.push(...page.reverse())
  } while (page.length > 0)
  return all
}

function checkHistory(stored: readonly Message[], acknowledged: readonly Message[]): void {
  for (const inRoom of byRoom(stored).values()) {
    assert.deepEqual(
      inRoom.map(({ seq }) => seq),
      inRoom.map((_, index) => index + 1),
      'seq counts without a gap',
    )
  }
  assert.equal(new Set(stored.map(({ content }) => content)).size, stored.length, 'nothing is stored twice')
  const known = new Set(lines(stored))
  const lost = lines(acknowledged).filter((line) => !known.has(line))
  assert.deepEqual(lost, [], 'what was acknowledged is stored as it was')
}

function checkHeard({ heard, readies, resumptions }: Listener, stored: readonly Message[]): void {
  assert.equal(readies, 1, 'who was cut off resumed')
  assert.ok(resumptions >= CRASHES.length)
  const [heardIn, storedIn] = [byRoom(heard), byRoom(stored)]
  for (const [room, inRoom] of storedIn) assert.deepEqual(lines(heardIn.get(room) ?? []), lines(inRoom))
  assert.equal(heard.length, stored.length)
}

/** Describes messages so that differences are easy to read. */
function lines(messages: readonly Message[]): string[] {
  return messages.map(({ seq, id, content }) => `${seq} ${id} ${content}`)
}

function byRoom(messages: readonly Message[]): Map<string | null, Message[]> {
  return Map.groupBy(messages, (message) => message.room_id)
}
