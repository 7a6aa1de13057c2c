import assert from 'node:assert/strict'
import { Forums } from '@foyer/sdk/api/forums'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { ownAddresses, threadAddress } from './web-addresses.ts'
import { sayInThread } from './web-messages.ts'
import type { Said, StartedThread } from './web-model.ts'
import { at, goodbye, mayWrite, type Turn, type WebScene } from './web-scene.ts'

const MAX_THREADS = 4

export async function start({ scene, room, author, mentioned, token }: Turn): Promise<void> {
  const { model } = scene
  if (!mayWrite(scene, room, author) || model.threads.length >= MAX_THREADS) return
  const title = titleOf(token)
  const content = `${token} <@${mentioned.person.id}>`
  const { client } = at(scene, author.person)
  const { id, created_at } = await client.api(ThreadRooms).create(room.id, { title, content })
  const [opening] = await client.messages.list(id)
  assert.ok(opening)
  const thread = { id, room, title, openingId: opening.id, creator: author, answer: undefined }
  const said = { id: opening.id, channelId: id, author, mentioned, token, file: undefined }
  model.threads.push({ ...thread, at: Date.parse(created_at) })
  model.said.push({ ...said, at: Date.parse(opening.created_at) })
}

function titleOf(token: string): string {
  return token.replace('token', 'title')
}

export async function rename({ scene, thread, token }: Turn): Promise<void> {
  if (thread === undefined) return
  const title = titleOf(token)
  await threadsOf(scene).update(thread.id, { title })
  thread.title = title
}

export async function removeThread({ scene, thread }: Turn): Promise<void> {
  const { model, random } = scene
  if (thread === undefined || random.below(3) > 0) return
  await threadsOf(scene).delete(thread.id)
  const lost = model.said.filter(({ channelId }) => channelId === thread.id)
  goodbye(scene, threadAddress(scene, thread), ...lost.slice(-1).flatMap((said) => ownAddresses(scene, said)))
  model.threads = model.threads.filter((one) => one !== thread)
  model.said = model.said.filter((said) => !lost.includes(said))
}

/** Marks a later message of any post as its answer, or unmarks it. If no post has a later message, writes one. */
export async function answer(turn: Turn): Promise<void> {
  const { scene } = turn
  const { model, random, owner } = scene
  const posts = model.threads.filter(({ room }) => room.isForum)
  const choices = posts.flatMap((thread) =>
    model.said
      .filter(({ channelId, id }) => channelId === thread.id && id !== thread.openingId)
      .map((chosen) => ({ thread, chosen })),
  )
  if (choices.length === 0) return sayInThread({ ...turn, thread: posts[0] })
  const { thread, chosen } = random.pick(choices)
  const forums = at(scene, owner.person).client.api(Forums)
  if (thread.answer === chosen) await forums.unsolve(thread.id)
  else await forums.solve(thread.id, chosen.id)
  thread.answer = thread.answer === chosen ? undefined : chosen
}

/** Pins a post, or puts a thread to sleep, which changes nothing for the public. */
export async function mark({ scene, thread }: Turn): Promise<void> {
  if (thread === undefined) return
  const isSo = scene.random.below(2) === 0
  await threadsOf(scene).update(thread.id, thread.room.isForum ? { is_pinned: isSo } : { is_asleep: isSo })
}

/** Moves a message of the room, or of another thread of it, into a thread. */
export async function move({ scene, thread }: Turn): Promise<void> {
  const { model, random } = scene
  if (thread === undefined) return
  // Half of them come from the room, whose page must then lack them.
  const fromRoom = random.below(2) === 0
  const channels = fromRoom ? [thread.room.id] : siblings(scene, thread).map(({ id }) => id)
  const movable = model.said.filter(({ channelId }) => channels.includes(channelId))
  if (movable.length === 0) return
  const moved = random.pick(movable)
  await threadsOf(scene).move(thread.id, [moved.id])
  carry(scene, moved, thread)
}

/** Merges a thread into another one of its room. */
export async function merge({ scene, thread }: Turn): Promise<void> {
  const { model, random } = scene
  const others = thread === undefined ? [] : siblings(scene, thread)
  if (thread === undefined || others.length === 0 || random.below(3) > 0) return
  const into = random.pick(others)
  await threadsOf(scene).merge(thread.id, into.id)
  for (const said of model.said.filter(({ channelId }) => channelId === thread.id)) carry(scene, said, into)
  goodbye(scene, threadAddress(scene, thread))
  model.threads = model.threads.filter((one) => one !== thread)
}

function threadsOf(scene: WebScene): ThreadRooms {
  return at(scene, scene.owner.person).client.api(ThreadRooms)
}

function siblings({ model }: WebScene, thread: StartedThread): StartedThread[] {
  return model.threads.filter((other) => other !== thread && other.room === thread.room)
}

/** Puts a message into another thread. It is no longer the answer of its former thread. */
function carry(scene: WebScene, said: Said, into: StartedThread): void {
  for (const thread of scene.model.threads) if (thread.answer === said) thread.answer = undefined
  const left = ownAddresses(scene, said)
  said.channelId = into.id
  scene.gone = scene.gone.filter((path) => !path.includes(said.id))
  goodbye(scene, ...left)
}
