import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { VoiceState } from '@foyer/protocol/voice'
import fc from 'fast-check'
import {
  type GatewayClient,
  type Identity,
  identify,
  openSession,
  type ReceivedFrame,
  resume,
} from '#test/gateway-client.ts'
import { makeGroup } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { askVoice, changeVoice, endAllVoice, knownVoices, statesInReady } from '#test/voice/voice.ts'

const RUNS = Number(process.env.AGREEMENT_RUNS ?? 6)
const STEPS = 16
/** On a slow machine fewer histories are played, of which each run has others. */
const MAX_MS = process.env.AGREEMENT_RUNS === undefined ? 30_000 : Number.POSITIVE_INFINITY

/** A user with one connection, which is lost now and then. */
interface Player {
  readonly person: Person
  readonly identity: Identity
  client: GatewayClient
  /** Events received by earlier connections. */
  heard: ReceivedFrame[]
}

interface Arena {
  readonly space: TestSpace
  readonly group: string
  readonly rooms: string[]
  /** The first owns the space and hides nothing from themselves. */
  readonly players: Player[]
}

let server: TestServer
let people: Person[]

before(async () => {
  server = await startOwnServer()
  people = await Promise.all(['ada', 'ben', 'eve', 'kim'].map((name) => createPerson(server, name)))
})
after(() => server.close())

const number = fc.nat({ max: 9999 })
const turn = fc.record({ kind: number, who: number, other: number, place: number, flag: fc.boolean() })
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

test('VOICE-7, VOICE-8 and VOICE-9: everyone knows the voice states of the rooms they may view, whatever happens', async () => {
  const history = fc.array(turn, { minLength: STEPS, maxLength: STEPS })
  const property = fc.asyncProperty(history, play)
  await fc.assert(property, { numRuns: RUNS, interruptAfterTimeLimit: MAX_MS, endOnFailure: true })
})

async function play(history: readonly Turn[]): Promise<void> {
  const arena = await open()
  for (const each of history) {
    await step(arena, each)
    await until(() => agree(arena), `after ${JSON.stringify(each)} everybody agrees`)
  }
  for (const { client } of arena.players) client.close()
}

async function open(): Promise<Arena> {
  await endAllVoice(server)
  const [owner, ...others] = people
  assert.ok(owner)
  const space = await makeSpace(owner, others)
  const made = ['stage', 'cellar'].map((name) =>
    owner.client.rooms.create(space.id, { name, type: RoomType.Voice }),
  )
  const rooms = [space.lounge, ...(await Promise.all(made)).map(({ id }) => id)]
  const { id: group } = await makeGroup(server, owner, others)
  const players = await Promise.all(people.map(enter))
  return { space, group, rooms, players }
}

async function enter(person: Person): Promise<Player> {
  const identity = await openSession(server, person.id)
  return { person, identity, client: await identify(server, identity), heard: [] }
}

type Step = (arena: Arena, player: Player, turn: Turn) => Promise<unknown>

const steps: readonly Step[] = [
  go,
  go,
  go,
  (_arena, { client }) => changeVoice(client, {}),
  silence,
  move,
  hide,
  hide,
  admit,
  returnTo,
  returnTo,
]

async function step(arena: Arena, turn: Turn): Promise<void> {
  const player = pick(arena.players, turn.who)
  await pick(steps, turn.kind)(arena, player, turn)
}

/** Refused or not. */
async function go({ rooms, group }: Arena, { client }: Player, { place, flag }: Turn): Promise<void> {
  const target = pick([...rooms, group], place)
  const where = target === group ? { conversation_id: group } : { room_id: target }
  await askVoice(client, { ...where, self_mute: flag, session_id: null })
}

async function silence({ space, players }: Arena, { person }: Player, { flag }: Turn): Promise<void> {
  const [owner] = players
  await owner?.person.call('PATCH', `/api/spaces/${space.id}/members/${person.id}/voice`, { mute: flag })
}

async function move({ space, players, rooms }: Arena, { person }: Player, turn: Turn): Promise<void> {
  const [owner] = players
  const room_id = pick([...rooms, null], turn.place)
  await owner?.person.call('PATCH', `/api/spaces/${space.id}/members/${person.id}/voice`, { room_id })
}

/** Hides a room from everyone, or shows it again; or hides it from one person. */
async function hide({ space, players, rooms }: Arena, { person }: Player, { place, other, flag }: Turn) {
  const target =
    other % 2 === 0
      ? { target_id: space.id, target_type: OverwriteTarget.Role }
      : { target_id: person.id, target_type: OverwriteTarget.Member }
  const bits = other % 3 === 0 ? Permission.JoinVoice : Permission.ViewChannels
  const flags = flag ? { allow_flags: bits, deny_flags: 0 } : { allow_flags: 0, deny_flags: bits }
  const path = `/api/spaces/${space.id}/rooms/${pick(rooms, place)}/overwrites`
  // Refused for who is no member.
  await players[0]?.person.call('PUT', path, { ...target, ...flags })
}

/** Out of the space, or back into it. */
async function admit({ space, players }: Arena, { person }: Player): Promise<void> {
  const [owner] = players
  if (owner === undefined || owner.person === person) return
  const { status } = await owner.person.call('DELETE', `/api/spaces/${space.id}/members/${person.id}`)
  if (status === 404) await join(person, owner.person, space)
}

/** Runs while another user moves. */
async function returnTo(arena: Arena, player: Player, turn: Turn): Promise<void> {
  await player.client.settle()
  player.client.close()
  player.heard.push(...player.client.frames)
  const others = arena.players.filter((other) => other !== player)
  await go(arena, pick(others, turn.other), turn)
  const s = player.heard.findLast((frame) => frame.s !== undefined)?.s ?? ''
  player.client = await resume(server, player.identity, s)
}

/** Compares the events received, READY, and the owner's view of the rooms they may view. */
async function agree({ players }: Arena): Promise<boolean> {
  await Promise.all(players.map(({ client }) => client.settle()))
  const told = await Promise.all(players.map(({ person }) => statesInReady(server, person)))
  const visible = await Promise.all(players.map(({ person }) => viewedBy(person)))
  const [all = []] = told
  return players.every(({ client, heard }, index) => {
    const known = knownVoices([...heard, ...client.frames])
    const due = all.filter(({ room_id }) => room_id === null || visible[index]?.has(room_id))
    return isSame(known, told[index] ?? []) && isSame(due, told[index] ?? [])
  })
}

async function viewedBy({ client }: Person): Promise<ReadonlySet<string>> {
  const spaces = await client.users.listSpaces()
  const rooms = await Promise.all(spaces.map(({ id }) => client.rooms.list(id)))
  return new Set(rooms.flat().map(({ id }) => id))
}

function isSame(one: readonly VoiceState[], other: readonly VoiceState[]): boolean {
  return JSON.stringify(one.map(factsOf)) === JSON.stringify(other.map(factsOf))
}

function factsOf({ user_id, session_id, room_id, conversation_id, self_mute, mute }: VoiceState): unknown[] {
  return [user_id, session_id, room_id, conversation_id, self_mute, mute]
}

function pick<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length]
  assert.ok(value !== undefined)
  return value
}
