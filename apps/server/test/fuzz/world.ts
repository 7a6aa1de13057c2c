import { OverwriteTarget } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { makeGroup, say } from '#test/scenes/conversations.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import type { Known } from './values.ts'

/** Users with their data, which requests can name and delete. */
export interface World {
  callers: Person[]
  known: Known
}

/** Creates two users and a bot, with one of everything that operations act on. */
export async function makeWorld(server: TestServer): Promise<World> {
  const suffix = newId().slice(-12)
  const owner = await createPerson(server, `o${suffix}`)
  const friend = await createPerson(server, `f${suffix}`)
  const space = await makeSpace(owner, [friend])
  const bot = await createApplicationBot(server, owner, { name: `Bot ${suffix}` })
  await owner.client.members.addBot(space.id, bot.id)
  const group = await makeGroup(server, owner, [friend])
  const { client } = owner
  const message = await client.messages.create(space.general, { content: 'hello' })
  const said = await say(owner, group.id)
  const role = await makeRole(owner, friend, space)
  const invite = await client.invites.create(space.id, space.general)
  const bucket = await client.buckets.createIncluded(space.id)
  const hook = await client.webhooks.create(space.general, { name: 'Hook' })
  const form = formOf(['name', `e${suffix.slice(0, 8)}`], ['image', await png()])
  const emoji = Object((await owner.call('POST', `/api/spaces/${space.id}/emojis`, form)).body)
  const [command] = await bot.client.interactions.setCommands(bot.id, [{ name: 'plain', description: 'x' }])
  const messages = [message.id, said]
  const rooms = [space.general, space.lounge]
  const people = [owner.id, friend.id, bot.id]
  return {
    callers: [owner, owner, owner, friend, bot],
    known: {
      ...namesOf(['spaceId', 'space_id'], [space.id]),
      ...namesOf(['roomId', 'room_id', 'parent_id'], rooms),
      ...namesOf(['conversationId', 'conversation_id'], [group.id]),
      ...namesOf(['messageId', 'message_id', 'after', 'before', 'around', 'cursor', 'ids'], messages),
      ...namesOf(['userId', 'memberId', 'user_id', 'author_id', 'mentions', 'recipient_ids'], people),
      ...namesOf(['roleId', 'targetId', 'target_id', 'id'], [role.id, space.id]),
      ...namesOf(['appId', 'application_id', 'botUserId'], [bot.id]),
      ...namesOf(['command', 'command_id'], [command?.id ?? newId()]),
      ...namesOf(['emojiId', 'emoji'], [emoji.id ?? newId(), '👍']),
      ...namesOf(['attachmentId', 'attachment_ids'], [emoji.attachment_id ?? newId()]),
      ...namesOf(['inviteId'], [invite.id]),
      ...namesOf(['code'], [invite.code]),
      ...namesOf(['bucketId'], [bucket.id]),
      ...namesOf(['webhookId'], [hook.id]),
      ...namesOf(['token'], [hook.token ?? 'x']),
      ...namesOf(['endpoint', 'url', 'avatar_url', 'icon_url'], ['http://127.0.0.1:9/x']),
      // With a longer timeout, each request for a bot's next interaction would wait.
      ...namesOf(['timeout'], ['0']),
    },
  }
}

async function makeRole(owner: Person, member: Person, space: TestSpace): Promise<Role> {
  const { roles, overwrites } = owner.client
  const role = await roles.create(space.id, { name: 'Role' })
  const nothing = { target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: 0 }
  await overwrites.upsert(space.id, space.general, { target_id: role.id, ...nothing })
  await roles.assign(space.id, member.id, role.id)
  return role
}

function namesOf(names: readonly string[], values: readonly string[]): Known {
  return Object.fromEntries(names.map((name) => [name, values]))
}
