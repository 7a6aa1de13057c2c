import assert from 'node:assert/strict'
import type { Random } from '#test/fuzz/random.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'
import {
  type Actor,
  isOpen,
  type Said,
  type StartedThread,
  type WebModel,
  type WebRoomModel,
} from './web-model.ts'

export type Servers = readonly [TestServer, TestServer, ...TestServer[]]

/** A space that is changed at random, and its model. */
export interface WebScene {
  readonly servers: Servers
  readonly operator: Person
  readonly owner: Actor
  readonly spaceId: string
  readonly stickerId: string
  readonly random: Random
  readonly model: WebModel
  /** Addresses that no longer have a page. */
  gone: string[]
  /** The latest changes. */
  changes: string[]
  requests: number
  /** Counter that makes each new name and text unique. */
  count: number
}

/** The targets, people and text of one random change. */
export interface Turn {
  readonly scene: WebScene
  readonly room: WebRoomModel
  readonly author: Actor
  readonly mentioned: Actor
  readonly old: Said | undefined
  readonly thread: StartedThread | undefined
  readonly token: string
}

const MAX_GONE = 5

/** Makes a space with two text rooms and a forum. The numbers in its names and texts count up from `first`. */
export async function makeWebScene(
  servers: Servers,
  operator: Person,
  { random, first }: { random: Random; first: number },
): Promise<WebScene> {
  const model = newModel()
  for (const index of [0, 1, 2]) model.cast.push(await newActor(servers, model, `person${first + index}n`))
  const [owner, ...others] = model.cast
  assert.ok(owner)
  const { client } = owner.person
  const { id: spaceId, general } = await makeSpace(
    owner.person,
    others.map(({ person }) => person),
  )
  await addStorage(servers[0], spaceId)
  const sticker = await client.stickers.create(spaceId, { name: 'smile', image: await png() })
  const scene = {
    servers,
    operator,
    owner,
    spaceId,
    stickerId: sticker.id,
    random,
    model,
    gone: [],
    changes: [],
    requests: 0,
    count: first + 10,
  }
  await client.rooms.update(spaceId, general, { name: `room${first}x` })
  model.rooms.push(roomOnWeb({ id: general, name: `room${first}x` }, false))
  for (const isForum of [false, true]) await addRoom(scene, isForum)
  return scene
}

function newModel(): WebModel {
  return {
    ...{ isAllowed: false, isFrozen: false, isDeleted: false, isViewedByEveryone: true },
    ...{ rooms: [], presence: new Map(), said: [], threads: [], cast: [] },
  }
}

/** Creates a room that is not on the web. */
export async function addRoom(scene: WebScene, isForum: boolean): Promise<void> {
  const { owner, spaceId, model } = scene
  scene.count += 1
  const body = { name: `room${scene.count}x`, type: isForum ? 5 : 1 }
  model.rooms.push(roomOnWeb(await owner.person.client.rooms.create(spaceId, body), isForum))
}

/** State of a room that is not on the web. */
export const shut = { onWebSince: undefined, isAnnounced: false, isWhole: false, isIndexed: true } as const

function roomOnWeb({ id, name }: { id: string; name: string }, isForum: boolean): WebRoomModel {
  return { id, name, isForum, overwrite: 'none', webhook: undefined, ...shut }
}

/** Creates an account that shows its name. */
export async function newActor([server]: Servers, model: WebModel, alias: string): Promise<Actor> {
  const person = await createPerson(server, `user${alias}`)
  await person.client.users.updateMe({ alias })
  model.presence.set(person.id, 'name')
  return { person, alias, nickname: undefined, isMember: true, isBanned: false, isDeleted: false }
}

/** Lets a person join, with an invite to a room that is still there. */
export async function letJoin(scene: WebScene, { person }: Actor): Promise<void> {
  const { owner, spaceId, model, random } = scene
  const { invites } = at(scene, owner.person).client
  const { code } = await invites.create(spaceId, random.pick(model.rooms).id)
  await person.client.invites.join(code)
}

/** Chooses the process that a request goes to. */
export function at(scene: WebScene, person: Person): Person {
  scene.requests += 1
  return person.at(scene.random.pick(scene.servers))
}

/** Returns true if the author is a member and may view the room. */
export function mayWrite({ owner, model }: WebScene, room: WebRoomModel, author: Actor): boolean {
  return author.isMember && (isOpen(model, room) || author === owner)
}

export function roomOf({ model: { rooms, threads } }: WebScene, { channelId }: Said): WebRoomModel {
  const room = rooms.find(({ id }) => id === channelId) ?? threads.find(({ id }) => id === channelId)?.room
  assert.ok(room)
  return room
}

/** Notes addresses that are gone for good. */
export function goodbye(scene: WebScene, ...paths: readonly string[]): void {
  scene.gone = [...scene.gone, ...paths].slice(-MAX_GONE)
}
