import assert from 'node:assert/strict'
import { webPresences } from '@foyer/protocol/on-web'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { Administration } from '@foyer/sdk/api/administration'
import { awaitJobs } from '#test/outside/mailbox.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import type { Actor, Said, StartedThread, WebModel, WebRoomModel } from './web-model.ts'

export interface WebScene {
  readonly servers: readonly [TestServer, TestServer, ...TestServer[]]
  readonly space: TestSpace
  readonly invite: string
  readonly operator: Person
  readonly owner: Actor
  readonly roll: (sides: number) => number
  readonly model: WebModel
  count: number
}

/** Where and by whom something changes. */
interface Turn {
  readonly scene: WebScene
  readonly room: WebRoomModel
  readonly author: Actor
  readonly mentioned: Actor
  readonly old: Said | undefined
  readonly thread: StartedThread | undefined
  readonly token: string
}

/** More of them make each comparison slower, and no rarer state. */
const MAX_MESSAGES = 40
const MAX_THREADS = 5

const inSpace: readonly ((turn: Turn) => Promise<unknown>)[] = [
  ...[say, say, say, remove, edit, appear, appear, appear, hide, openToWeb, openToWeb],
  ...[start, start, sayInThread, sayInThread, sayInThread, rename, removeThread, answer, answer],
  ...[banOrForgive, deleteAccount, freeze, allow],
]
/** In a frozen space, members only read. */
const whileFrozen: readonly ((turn: Turn) => Promise<unknown>)[] = [
  appear,
  freeze,
  freeze,
  allow,
  deleteAccount,
]

/** Makes one random change. */
export async function changeWeb(scene: WebScene): Promise<void> {
  const { roll, model } = scene
  const pick = <T>(list: readonly T[]): T | undefined => list[roll(Math.max(1, list.length))]
  const [room, author, mentioned] = [pick(model.rooms), pick(model.cast), pick(model.cast)]
  assert.ok(room && author && mentioned)
  scene.count += 1
  const turn = { scene, room, author, mentioned, old: pick(model.said), thread: pick(model.threads) }
  const change = model.isAllowed || roll(4) > 0 ? pick(model.isFrozen ? whileFrozen : inSpace) : allow
  await change?.({ ...turn, token: `token${scene.count}x` })
}

/** Chooses the process that a request goes to. */
function at({ roll, servers }: WebScene, person: Person): Person {
  return person.at(servers[roll(2)] ?? servers[0])
}

async function succeed(answer: Promise<Answer>) {
  const { status, code, body } = await answer
  assert.ok(status < 300, `${status} ${code}`)
  return Object(body)
}

/** People write where they are members and may view the room. */
function mayWrite({ owner }: WebScene, { isOpen }: WebRoomModel, author: Actor): boolean {
  return author.isMember && (isOpen || author === owner)
}

async function say(turn: Turn): Promise<void> {
  const { scene, room, author } = turn
  if (room.isForum || !mayWrite(scene, room, author)) return
  if (scene.model.said.length >= MAX_MESSAGES) await remove(turn)
  else await post(turn, room.id)
}

async function sayInThread(turn: Turn): Promise<void> {
  const { scene, thread, author } = turn
  if (thread === undefined || !mayWrite(scene, thread.room, author)) return
  if (scene.model.said.length >= MAX_MESSAGES) await remove(turn)
  else await post(turn, thread.id)
}

async function post({ scene, author, mentioned, token }: Turn, channelId: string): Promise<void> {
  const content = `${token} <@${mentioned.person.id}>`
  const sent = at(scene, author.person).call('POST', `/api/rooms/${channelId}/messages`, { content })
  const { id, created_at } = await succeed(sent)
  scene.model.said.push({ id, channelId, author, mentioned, token, at: Date.parse(created_at) })
}

async function remove({ scene, old }: Turn): Promise<void> {
  if (old === undefined) return
  const path = `/api/rooms/${old.channelId}/messages/${old.id}`
  await succeed(at(scene, scene.owner.person).call('DELETE', path))
  scene.model.said = scene.model.said.filter((one) => one !== old)
}

async function edit({ scene, old, token, mentioned }: Turn): Promise<void> {
  if (old === undefined || !mayWrite(scene, roomOf(scene, old), old.author)) return
  const path = `/api/rooms/${old.channelId}/messages/${old.id}`
  const content = `${token} <@${mentioned.person.id}>`
  await succeed(at(scene, old.author.person).call('PATCH', path, { content }))
  Object.assign(old, { token, mentioned })
}

function roomOf({ model }: WebScene, { channelId }: Said): WebRoomModel {
  const { rooms, threads } = model
  const room = rooms.find(({ id }) => id === channelId) ?? threads.find(({ id }) => id === channelId)?.room
  assert.ok(room)
  return room
}

async function start({ scene, room, author, mentioned, token }: Turn): Promise<void> {
  const { model } = scene
  if (!mayWrite(scene, room, author) || model.threads.length >= MAX_THREADS) return
  const title = token.replace('token', 'title')
  const content = `${token} <@${mentioned.person.id}>`
  const caller = at(scene, author.person)
  const { id, created_at } = await succeed(
    caller.call('POST', `/api/rooms/${room.id}/threads`, { title, content }),
  )
  model.threads.push({ id, room, creator: author, at: Date.parse(created_at), title, answer: undefined })
  const body = await succeed(caller.call('GET', `/api/rooms/${id}/messages`))
  const [first] = Object.values(body)
  const { id: messageId, created_at: sentAt } = Object(first)
  model.said.push({ id: messageId, channelId: id, author, mentioned, token, at: Date.parse(sentAt) })
}

async function rename({ scene, thread, token }: Turn): Promise<void> {
  if (thread === undefined) return
  const title = token.replace('token', 'title')
  await succeed(at(scene, scene.owner.person).call('PATCH', `/api/threads/${thread.id}`, { title }))
  thread.title = title
}

async function removeThread({ scene, thread }: Turn): Promise<void> {
  const { model, roll } = scene
  if (thread === undefined || roll(3) > 0) return
  await succeed(at(scene, scene.owner.person).call('DELETE', `/api/threads/${thread.id}`))
  model.threads = model.threads.filter((one) => one !== thread)
  model.said = model.said.filter(({ channelId }) => channelId !== thread.id)
}

/** The owner chooses a later message of a post as its answer, of any post that has one. */
async function answer({ scene }: Turn): Promise<void> {
  const { model, roll } = scene
  const choices = model.threads
    .filter(({ room }) => room.isForum)
    .flatMap((thread) => {
      const [, ...others] = model.said.filter(({ channelId }) => channelId === thread.id)
      return others.map((chosen) => ({ thread, chosen }))
    })
  const choice = choices[roll(Math.max(1, choices.length))]
  if (choice === undefined) return
  const { thread, chosen } = choice
  const path = `/api/threads/${thread.id}/solution`
  await succeed(at(scene, scene.owner.person).call('PUT', path, { message_id: chosen.id }))
  thread.answer = chosen
}

async function appear({ scene, author }: Turn): Promise<void> {
  if (author.isDeleted) return
  const presence = webPresences[scene.roll(webPresences.length)] ?? 'name'
  await succeed(at(scene, author.person).call('PATCH', '/api/users/@me', { web_presence: presence }))
  scene.model.presence.set(author.person.id, presence)
}

async function hide({ scene, room }: Turn): Promise<void> {
  const { space, owner, roll } = scene
  if (room.isOpen && roll(2) > 0) return
  const flags = { target_id: space.id, target_type: OverwriteTarget.Role, allow_flags: 0 }
  const deny_flags = room.isOpen ? Permission.ViewChannels : 0
  await at(scene, owner.person).client.overwrites.upsert(space.id, room.id, { ...flags, deny_flags })
  room.isOpen = !room.isOpen
}

async function openToWeb({ scene, room }: Turn): Promise<void> {
  const path = `/api/rooms/${room.id}/web`
  const owner = at(scene, scene.owner.person)
  if (room.onWebSince === undefined && scene.model.isAllowed && room.isOpen) {
    const { web } = await succeed(owner.call('PUT', path, {}))
    room.onWebSince = Date.parse(web.since)
  } else if (room.onWebSince !== undefined && scene.roll(10) === 0) {
    await succeed(owner.call('DELETE', path))
    room.onWebSince = undefined
  }
}

/** Bans a member, with or without their newest messages, or lets someone join again. */
async function banOrForgive({ scene, author }: Turn): Promise<void> {
  const { space, model, owner, roll, invite } = scene
  if (author === owner || author.isDeleted) return
  const path = `/api/spaces/${space.id}/bans/${author.person.id}`
  const caller = at(scene, owner.person)
  if (!author.isMember) {
    await succeed(caller.call('DELETE', path))
    await at(scene, author.person).client.invites.join(invite)
  } else {
    const isErased = roll(3) === 0
    await succeed(caller.call('PUT', path, isErased ? { delete_seconds: 7 * 86_400 } : {}))
    await awaitJobs(scene.servers[0])
    if (isErased) model.said = model.said.filter((message) => message.author !== author)
  }
  author.isMember = !author.isMember
}

/** Deletes an account now and then. Someone new joins in its place. */
async function deleteAccount({ scene, author }: Turn): Promise<void> {
  const { model, operator, owner, roll, servers, invite } = scene
  if (author === owner || author.isDeleted || roll(6) > 0 || model.isFrozen) return
  await at(scene, operator).client.api(Administration).deleteUser(author.person.id)
  await awaitJobs(servers[0])
  Object.assign(author, { isDeleted: true, isMember: false })
  model.cast = model.cast.filter((one) => one !== author)
  model.cast.push(await newActor(scene, `person${scene.count}n`))
  await model.cast.at(-1)?.person.client.invites.join(invite)
}

/** Creates an account that shows its name. */
export async function newActor(
  { servers, model }: Pick<WebScene, 'servers' | 'model'>,
  name: string,
): Promise<Actor> {
  const person = await createPerson(servers[0], name)
  await succeed(person.call('PATCH', '/api/users/@me', { alias: name }))
  model.presence.set(person.id, 'name')
  return { person, name, isMember: true, isDeleted: false }
}

async function freeze({ scene }: Turn): Promise<void> {
  const { operator, space, model, roll } = scene
  if (!model.isFrozen && roll(4) > 0) return
  const administration = at(scene, operator).client.api(Administration)
  if (model.isFrozen) await administration.unfreezeSpace(space.id)
  else await administration.freezeSpace(space.id)
  model.isFrozen = !model.isFrozen
}

async function allow({ scene }: Turn): Promise<void> {
  const { operator, roll, model, servers } = scene
  if (model.isAllowed && roll(4) > 0) return
  model.isAllowed = !model.isAllowed
  const body = { public_pages: model.isAllowed }
  await succeed(at(scene, operator).call('PATCH', '/api/operator/public-pages', body))
  // Jobs publish the rooms again.
  await awaitJobs(servers[0])
}
