import assert from 'node:assert/strict'
import { RoomType } from '@foyer/protocol/rooms'
import type { Space } from '@foyer/protocol/spaces'
import { Administration } from '@foyer/sdk/api/administration'
import { Reports } from '@foyer/sdk/api/reports'
import { Client } from '@foyer/sdk/client'
import type { Person } from '../person.ts'
import { picture } from '../sample-files.ts'
import { befriend, gather, type Settled, settle } from '../settled.ts'
import type { Stage } from '../stage.ts'
import { openForum } from './forum.ts'
import { fillRoom } from './messages-of-all-kinds.ts'

export const SPACE = 'Sunday hikers'
export const LONG_ROOM = 'everything about the tents, stoves and boots that we share with each other'

/** A stage with content of every kind, and the user who visits it. */
export interface Furnished {
  readonly mira: Person
  readonly jonas: Settled
  /** Paths of the client's pages. */
  readonly paths: Readonly<Record<Place, string>>
  readonly spaceId: string
  readonly roomId: string
}

type Place = 'general' | 'quiet' | 'forum' | 'post' | 'lounge' | 'conversation' | 'group' | 'invite' | 'bot'

/** Creates four users, with content of every kind in a space and in conversations. */
export async function furnish(stage: Stage): Promise<Furnished> {
  const mira = await settle(stage, 'mira')
  const jonas = await settle(stage, 'jonas')
  const lena = await settle(stage, 'lena')
  const odd = await settle(stage, 'odd')
  await introduce(mira, 'Mira Lindqvist', [92, 150, 226])
  await introduce(jonas, 'Jonas Weber', [232, 120, 70])
  const { space, general, rooms } = await gather(SPACE, [mira, jonas, lena, odd])
  await decorate(mira, space)
  const quiet = await mira.client.rooms.create(space.id, { name: LONG_ROOM, type: RoomType.Text })
  const { forumId, postId } = await openForum(space.id, mira, jonas)
  await giveRoles(mira, space.id, jonas.id)
  await complain(jonas, odd, general.id)
  const botUserId = await fillRoom({ space, room: general, mira, jonas, lena })
  await mira.client.bans.create(space.id, odd.id, { reason: 'Advertising' })
  await mira.client.webhooks.create(general.id, { name: 'Path keepers' })
  const { code } = await mira.client.invites.create(space.id, general.id)
  const { conversation, group } = await makeFriends(mira, jonas, lena, odd)
  await administer(mira, stage.program.url)
  const lounge = rooms.find(({ type }) => type === RoomType.Voice)
  return {
    mira: mira.person,
    jonas,
    spaceId: space.id,
    roomId: general.id,
    paths: {
      general: `/spaces/${space.id}/rooms/${general.id}`,
      quiet: `/spaces/${space.id}/rooms/${quiet.id}`,
      forum: `/spaces/${space.id}/rooms/${forumId}`,
      post: `/spaces/${space.id}/rooms/${postId}`,
      lounge: `/spaces/${space.id}/rooms/${lounge?.id}`,
      conversation: `/conversations/${conversation}`,
      group: `/conversations/${group}`,
      invite: `/invite/${code}`,
      bot: `/add-bot/${botUserId}`,
    },
  }
}

export function pictureBlob(name: string, sky: [number, number, number], width = 200): File {
  const { buffer, mimeType } = picture(name, { width, height: 200, sky })
  return new File([new Uint8Array(buffer)], name, { type: mimeType })
}

async function introduce({ client }: Settled, alias: string, sky: [number, number, number]): Promise<void> {
  await client.users.updateMe({ alias, avatar: pictureBlob('face.png', sky), custom: 'Out on the ridge' })
}

async function decorate({ client }: Settled, { id }: Space): Promise<void> {
  await client.buckets.createIncluded(id)
  const banner = pictureBlob('banner.png', [232, 120, 70], 600)
  await client.spaces.update(id, { icon: pictureBlob('icon.png', [80, 62, 140]), banner })
  await client.emojis.create(id, { name: 'sunrise', image: pictureBlob('sunrise.png', [232, 120, 70]) })
  await client.stickers.create(id, { name: 'Summit', image: pictureBlob('summit.png', [92, 150, 226]) })
}

async function giveRoles({ client }: Settled, spaceId: string, memberId: string): Promise<void> {
  const colors = { color_from: 0xb02020, color_via: 0x207020, color_to: 0x2020b0 }
  const guides = await client.roles.create(spaceId, { name: 'Guides', hoisted: true, ...colors })
  const cooks = await client.roles.create(spaceId, { name: 'Cooks', color_from: 0xffe000 })
  for (const { id } of [guides, cooks]) await client.roles.assign(spaceId, memberId, id)
}

/** Gives Mira, who runs the server as its first account, an applicant, an invite to the server and a log. */
async function administer({ client, person }: Settled, baseUrl: string): Promise<void> {
  const applicant = { username: 'nils', email: 'nils@example.org', password: person.password }
  await client.api(Administration).updateRegistration({ mode: 'approval', question: 'How do you know us?' })
  await assert.rejects(
    new Client({ baseUrl }).auth.signin({ ...applicant, answer: 'We sing together on Sundays.' }),
  )
  await client.api(Administration).updateRegistration({ mode: 'open' })
  await client.api(Administration).createInvite({ note: 'The choir' })
}

/** Posts a message as one user, and reports the message and its author as another. */
async function complain(by: Settled, about: Settled, roomId: string): Promise<void> {
  const { id } = await about.client.messages.create(roomId, { content: 'Who needs a map?' })
  const reports = by.client.api(Reports)
  await reports.create({ message_id: id, room_id: roomId, reason: 'spam', text: 'The third time today.' })
  await reports.create({ user_id: about.id, reason: 'harassment' })
}

/** Gives Mira a friend, an incoming friend request, a blocked user, a conversation with the friend, and a group. */
async function makeFriends(mira: Settled, ...others: [Settled, Settled, Settled]) {
  const [friend, asking, blocked] = others
  await befriend(mira, friend)
  await asking.client.friends.sendRequest(mira.id)
  await mira.client.friends.block(blocked.id)
  const { id: conversation } = await mira.client.conversations.create({ recipient_ids: [friend.id] })
  await friend.client.messages.create({ conversation }, { content: 'Shall I bring a surprise?' })
  await mira.client.messages.create({ conversation }, { content: 'Please do.' })
  const { id: group } = await mira.client.conversations.create({
    recipient_ids: [friend.id, asking.id],
    name: 'Trip to the lakes',
  })
  await friend.client.messages.create({ conversation: group }, { content: 'Who brings the tent?' })
  return { conversation, group }
}
