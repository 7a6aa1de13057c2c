import type { CreateMessageBody } from '@foyer/protocol/messages'
import { note } from '#test/scenes/messages.ts'
import { ownAddresses } from './web-addresses.ts'
import { at, goodbye, mayWrite, roomOf, type Turn } from './web-scene.ts'

/** More messages would make each comparison slower, without reaching rarer states. */
const MAX_MESSAGES = 16
const MAX_FILES = 4

export async function say(turn: Turn): Promise<void> {
  const { scene, room, author } = turn
  if (room.isForum || !mayWrite(scene, room, author)) return
  if (scene.model.said.length >= MAX_MESSAGES) await remove(turn)
  else await post(turn, room.id)
}

export async function sayInThread(turn: Turn): Promise<void> {
  const { scene, thread, author } = turn
  if (thread === undefined || !mayWrite(scene, thread.room, author)) return
  if (scene.model.said.length >= MAX_MESSAGES) await remove(turn)
  else await post(turn, thread.id)
}

/** Posts a message that mentions someone. Some messages reply to another one, or have a file. */
async function post({ scene, author, mentioned, token, old }: Turn, channelId: string): Promise<void> {
  const { model, random } = scene
  const reference = old?.channelId === channelId ? { message_id: old.id } : null
  const isFull = model.said.filter(({ file }) => file !== undefined).length >= MAX_FILES
  const files = isFull || random.below(3) > 0 ? [] : [note(token)]
  const { messages } = at(scene, author.person).client
  const body = { content: `${token} <@${mentioned.person.id}>`, reference }
  const { id, created_at, attachments } =
    files.length === 0
      ? await messages.create(channelId, body)
      : await messages.createWithFiles(channelId, body, files)
  const file = attachments.map((attachment) => ({ id: attachment.id, text: token }))[0]
  model.said.push({ id, channelId, author, mentioned, token, file, at: Date.parse(created_at) })
}

export async function remove({ scene, old }: Turn): Promise<void> {
  if (old === undefined) return
  await at(scene, scene.owner.person).client.messages.delete(old.channelId, old.id)
  goodbye(scene, ...ownAddresses(scene, old))
  scene.model.said = scene.model.said.filter((one) => one !== old)
}

export async function edit({ scene, old, token, mentioned }: Turn): Promise<void> {
  if (old?.token === undefined || 'name' in old.author) return
  if (!mayWrite(scene, roomOf(scene, old), old.author)) return
  const content = `${token} <@${mentioned.person.id}>`
  await at(scene, old.author.person).client.messages.update(old.channelId, old.id, { content })
  Object.assign(old, { token, mentioned })
}

/** Pins or unpins a message, which changes no page: pages leave out the system message about it. */
export async function pin({ scene, old }: Turn): Promise<void> {
  if (old === undefined) return
  const { pins } = at(scene, scene.owner.person).client
  const isPinned = (await pins.list(old.channelId)).some(({ id }) => id === old.id)
  if (isPinned) await pins.remove(old.channelId, old.id)
  else await pins.add(old.channelId, old.id)
}

/** Forwards a message. A page shows only who forwarded it. */
export async function forward(turn: Turn): Promise<void> {
  const { scene, old, author } = turn
  if (old?.token === undefined || !mayPost(turn) || !mayWrite(scene, roomOf(scene, old), author)) return
  if (scene.random.below(3) > 0) return
  await postWithoutText(turn, { reference: { type: 1, message_id: old.id, room_id: old.channelId } })
}

/** Posts a sticker. A page shows only that there is one. */
export async function postSticker(turn: Turn): Promise<void> {
  if (mayPost(turn)) await postWithoutText(turn, { sticker_ids: [turn.scene.stickerId] })
}

function mayPost({ scene, room, author }: Turn): boolean {
  return !room.isForum && mayWrite(scene, room, author) && scene.model.said.length < MAX_MESSAGES
}

async function postWithoutText({ scene, room, author }: Turn, body: CreateMessageBody): Promise<void> {
  const { id, created_at } = await at(scene, author.person).client.messages.create(room.id, body)
  const said = { id, channelId: room.id, author, at: Date.parse(created_at) }
  scene.model.said.push({ ...said, token: undefined, mentioned: undefined, file: undefined })
}

/** Posts a message through a webhook of the room, under a new name. */
export async function postByWebhook({ scene, room, mentioned, token }: Turn): Promise<void> {
  const { model, owner, count } = scene
  if (room.isForum || model.said.length >= MAX_MESSAGES) return
  const { webhooks } = at(scene, owner.person).client
  room.webhook ??= await webhooks.create(room.id, { name: 'bell' })
  const author = { name: `person${count}n` }
  const body = { username: author.name, content: `${token} <@${mentioned.person.id}>` }
  const { id, created_at } = await webhooks.execute(room.webhook, body)
  const said = { id, channelId: room.id, author, mentioned, token, file: undefined }
  model.said.push({ ...said, at: Date.parse(created_at) })
}

/** Deletes a webhook now and then. Its messages stay. */
export async function removeWebhook({ scene, room }: Turn): Promise<void> {
  if (room.webhook === undefined || scene.random.below(2) > 0) return
  await at(scene, scene.owner.person).client.webhooks.delete(room.webhook.id)
  room.webhook = undefined
}
