import type { AuditAction } from '@foyer/protocol/audit-actions'
import { MessageFlag } from '@foyer/protocol/messages'
import { RoomType } from '@foyer/protocol/rooms'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { TEST_PASSWORD } from '../server.ts'
import { type AuditScene, at, of, type Prepare, said } from './audit-scene.ts'
import { auditedForums } from './audited-forums.ts'
import { auditedModeration } from './audited-moderation.ts'
import { auditedWebRooms } from './audited-web-rooms.ts'
import { bucketBody } from './buckets.ts'
import { createApplicationBot } from './people.ts'
import { png } from './pictures.ts'
import { followElsewhere } from './remote-follows.ts'
import { archivesOf } from './space-archives.ts'
import { askByToken } from './webhooks.ts'

const role = async ({ owner, space }: AuditScene) =>
  (await owner.client.roles.create(space.id, { name: 'role' })).id
const groupRole = ({ owner, space }: AuditScene, role_id: string) =>
  owner.client.api(GroupRoles).create(space.id, { provider: 'main', group: 'staff', role_id })
const picture = async () => ({ name: 'cat', image: await png() })
const webhook = ({ owner, space }: AuditScene) =>
  owner.client.webhooks.create(space.general, { name: 'hook' })
const bucket = async ({ owner, space, s3 }: AuditScene) =>
  (await owner.client.buckets.create(space.id, bucketBody(s3))).id
const until = () => new Date(Date.now() + 86_400_000).toISOString()

async function emoji(scene: AuditScene) {
  await bucket(scene)
  return scene.owner.client.emojis.create(scene.space.id, await picture())
}

async function sticker(scene: AuditScene): Promise<string> {
  await bucket(scene)
  return (await scene.owner.client.stickers.create(scene.space.id, await picture())).id
}

async function reacted(scene: AuditScene): Promise<{ channel: string; id: string }> {
  const at = { channel: scene.space.general, id: await said(scene) }
  await scene.member.client.reactions.add(at, '👍')
  return at
}

async function newBot({ server, owner }: AuditScene): Promise<string> {
  const { id } = await createApplicationBot(server, owner, { name: 'helper', bot_public: true })
  return id
}

/** Sets the owner's password, because users in tests have none. */
async function givePassword({ server, owner }: AuditScene): Promise<void> {
  const hash = await server.deps.passwords.hash(TEST_PASSWORD, owner.id)
  await server.deps.database.execute(sql`update users set password_hash = ${hash} where id = ${owner.id}`)
}

async function setOverwrite({ owner, space }: AuditScene): Promise<void> {
  const body = { target_id: space.id, target_type: 0, allow_flags: 0, deny_flags: 2 }
  await owner.client.overwrites.upsert(space.id, space.general, body)
}

/** Lets the member start a thread, and returns its id. */
async function threaded({ member, space }: AuditScene): Promise<string> {
  return (await member.client.api(ThreadRooms).create(space.general, { title: 'thread' })).id
}

/** Each operation that changes a space, with a call of it and the action that the audit log must then record. */
export const auditedChanges: Readonly<Record<string, [AuditAction, Prepare]>> = {
  ...auditedForums,
  ...auditedModeration,
  'spaces.update': at('space_update', ({ owner, space }) =>
    owner.client.spaces.update(space.id, { name: 'Coffee' }),
  ),
  'spaces.transfer': at('space_transfer', ({ owner, member, space }) =>
    owner.client.spaces.transfer(space.id, { user_id: member.id }),
  ),
  'spaceArchives.export': of('space_export', givePassword, ({ owner, space }) =>
    archivesOf(owner).export(space.id, { password: TEST_PASSWORD }),
  ),
  'rooms.create': at('room_create', ({ owner, space }) =>
    owner.client.rooms.create(space.id, { name: 'x', type: RoomType.Text }),
  ),
  'rooms.update': at('room_update', ({ owner, space }) =>
    owner.client.rooms.update(space.id, space.general, { slow_mode_seconds: 5 }),
  ),
  'rooms.delete': at('room_delete', ({ owner, space }) => owner.client.rooms.delete(space.id, space.general)),
  ...auditedWebRooms,
  'roles.create': at('role_create', role),
  'roles.update': of('role_update', role, ({ owner, space }, id) =>
    owner.client.roles.update(space.id, id, { name: 'renamed' }),
  ),
  'roles.delete': of('role_delete', role, ({ owner, space }, id) => owner.client.roles.delete(space.id, id)),
  'roles.assign': of('role_assign', role, ({ owner, member, space }, id) =>
    owner.client.roles.assign(space.id, member.id, id),
  ),
  'roles.remove': of(
    'role_remove',
    async (scene) => {
      const id = await role(scene)
      await scene.owner.client.roles.assign(scene.space.id, scene.member.id, id)
      return id
    },
    ({ owner, member, space }, id) => owner.client.roles.remove(space.id, member.id, id),
  ),
  'groupRoles.create': of('group_role_create', role, groupRole),
  'groupRoles.delete': of(
    'group_role_delete',
    async (scene) => (await groupRole(scene, await role(scene))).id,
    ({ owner, space }, id) => owner.client.api(GroupRoles).delete(space.id, id),
  ),
  'overwrites.upsert': at('overwrite_update', setOverwrite),
  'overwrites.delete': of('overwrite_delete', setOverwrite, ({ owner, space }) =>
    owner.client.overwrites.delete(space.id, space.general, space.id),
  ),
  'invites.create': at('invite_create', ({ owner, space }) =>
    owner.client.invites.create(space.id, space.general),
  ),
  'invites.revoke': of(
    'invite_delete',
    ({ owner, space }) => owner.client.invites.create(space.id, space.general),
    ({ owner, space }, { id }) => owner.client.invites.revoke(space.id, id),
  ),
  'invites.join': of(
    'member_join',
    ({ owner, space }) => owner.client.invites.create(space.id, space.general),
    ({ guest }, { code }) => guest.client.invites.join(code),
  ),
  'members.leave': at('member_leave', ({ member, space }) => member.client.members.leave(space.id)),
  'members.kick': at('member_kick', ({ owner, member, space }) =>
    owner.client.members.kick(space.id, member.id),
  ),
  'members.update': at('member_update', ({ owner, member, space }) =>
    owner.client.members.update(space.id, member.id, { nickname: 'Kim' }),
  ),
  'members.updateMe': at('member_update', ({ member, space }) =>
    member.client.members.updateMe(space.id, { nickname: 'Kim' }),
  ),
  'members.updateVoice': at('member_voice', ({ owner, member, space }) =>
    owner.client.members.updateVoice(space.id, member.id, { mute: true }),
  ),
  'members.timeOut': at('timeout_create', ({ owner, member, space }) =>
    owner.client.members.timeOut(space.id, member.id, { until: until() }),
  ),
  'members.liftTimeout': of(
    'timeout_delete',
    ({ owner, member, space }) => owner.client.members.timeOut(space.id, member.id, { until: until() }),
    ({ owner, member, space }) => owner.client.members.liftTimeout(space.id, member.id),
  ),
  'members.addBot': of('bot_add', newBot, ({ owner, space }, id) =>
    owner.client.members.addBot(space.id, id),
  ),
  'members.removeBot': of(
    'bot_remove',
    async (scene) => scene.owner.client.members.addBot(scene.space.id, await newBot(scene)),
    ({ owner, space }, { user_id }) => owner.client.members.removeBot(space.id, user_id),
  ),
  'bans.create': at('ban_create', ({ owner, member, space }) =>
    owner.client.bans.create(space.id, member.id),
  ),
  'bans.delete': of(
    'ban_delete',
    ({ owner, member, space }) => owner.client.bans.create(space.id, member.id),
    ({ owner, member, space }) => owner.client.bans.delete(space.id, member.id),
  ),
  'rooms.follow': of(
    'webhook_create',
    ({ owner, space }) => owner.client.rooms.create(space.id, { name: 'news', type: 1, announces: true }),
    ({ owner, space }, { id }) => owner.client.rooms.follow(id, space.general),
  ),
  'rooms.followRemote': at('webhook_create', ({ owner, space }) => followElsewhere(owner, space.general)),
  'webhooks.create': at('webhook_create', webhook),
  'webhooks.update': of('webhook_update', webhook, ({ owner }, { id }) =>
    owner.client.webhooks.update(id, { secret: 'hush' }),
  ),
  'webhooks.delete': of('webhook_delete', webhook, ({ owner }, { id }) => owner.client.webhooks.delete(id)),
  'webhooks.updateByToken': of('webhook_update', webhook, ({ server }, made) =>
    askByToken(server, made, { method: 'PATCH', body: { name: 'renamed' } }),
  ),
  'webhooks.deleteByToken': of('webhook_delete', webhook, ({ server }, made) =>
    askByToken(server, made, { method: 'DELETE' }),
  ),
  'buckets.create': at('bucket_create', bucket),
  'buckets.createIncluded': at('bucket_create', ({ owner, space }) =>
    owner.client.buckets.createIncluded(space.id),
  ),
  'buckets.update': of('bucket_update', bucket, ({ owner, space }, id) =>
    owner.client.buckets.update(space.id, id, { max_bytes: 5 }),
  ),
  'buckets.delete': of('bucket_delete', bucket, ({ owner, space }, id) =>
    owner.client.buckets.delete(space.id, id),
  ),
  'buckets.deactivate': of('bucket_update', bucket, ({ owner, space }, id) =>
    owner.client.buckets.deactivate(space.id, id),
  ),
  'buckets.activate': of(
    'bucket_update',
    async (scene) => {
      await bucket(scene)
      return bucket(scene)
    },
    ({ owner, space }, id) => owner.client.buckets.activate(space.id, id),
  ),
  'emojis.create': of('emoji_create', bucket, async ({ owner, space }) =>
    owner.client.emojis.create(space.id, await picture()),
  ),
  'emojis.update': of('emoji_update', emoji, ({ owner, space }, { id }) =>
    owner.client.emojis.update(space.id, id, { name: 'dog' }),
  ),
  'emojis.delete': of('emoji_delete', emoji, ({ owner, space }, { id }) =>
    owner.client.emojis.delete(space.id, id),
  ),
  'stickers.create': of('sticker_create', bucket, async ({ owner, space }) =>
    owner.client.stickers.create(space.id, await picture()),
  ),
  'stickers.update': of('sticker_update', sticker, ({ owner, space }, id) =>
    owner.client.stickers.update(space.id, id, { name: 'dog' }),
  ),
  'stickers.delete': of('sticker_delete', sticker, ({ owner, space }, id) =>
    owner.client.stickers.delete(space.id, id),
  ),
  'attachments.deleteOfSpace': of('attachment_delete', emoji, ({ owner, space }, { attachment_id }) =>
    owner.client.attachments.deleteOfSpace(space.id, attachment_id),
  ),
  'attachments.deleteAllOfSpace': of('attachment_clear', emoji, ({ owner, space }) =>
    owner.client.attachments.deleteAllOfSpace(space.id),
  ),
  'messages.update': of('message_update', said, ({ owner, space }, id) =>
    owner.client.messages.update(space.general, id, { flags: MessageFlag.SuppressEmbeds }),
  ),
  'messages.delete': of('message_delete', said, ({ owner, space }, id) =>
    owner.client.messages.delete(space.general, id),
  ),
  'messages.bulkDelete': of(
    'message_bulk_delete',
    async (scene) => [await said(scene), await said(scene)],
    ({ owner, space }, ids) => owner.client.messages.bulkDelete(space.general, ids),
  ),
  'threadRooms.update': of('thread_update', threaded, ({ owner }, id) =>
    owner.client.api(ThreadRooms).update(id, { title: 'changed' }),
  ),
  'threadRooms.move': of(
    'thread_move',
    async (scene) => ({ id: await threaded(scene), messageId: await said(scene) }),
    ({ owner }, { id, messageId }) => owner.client.api(ThreadRooms).move(id, [messageId]),
  ),
  'threadRooms.merge': of(
    'thread_merge',
    async (scene) => ({ id: await threaded(scene), into: await threaded(scene) }),
    ({ owner }, { id, into }) => owner.client.api(ThreadRooms).merge(id, into),
  ),
  'threadRooms.delete': of('thread_delete', threaded, ({ owner }, id) =>
    owner.client.api(ThreadRooms).delete(id),
  ),
  'pins.add': of('message_pin', said, ({ owner, space }, id) => owner.client.pins.add(space.general, id)),
  'pins.remove': of(
    'message_unpin',
    async (scene) => {
      const id = await said(scene)
      await scene.owner.client.pins.add(scene.space.general, id)
      return id
    },
    ({ owner, space }, id) => owner.client.pins.remove(space.general, id),
  ),
  'reactions.removeOf': of('reaction_remove', reacted, ({ owner, member }, message) =>
    owner.client.reactions.removeOf(message, '👍', member.id),
  ),
  'reactions.clear': of('reaction_clear', reacted, ({ owner }, message) =>
    owner.client.reactions.clear(message),
  ),
  'auditLog.undo': of(
    'room_update',
    async ({ owner, space }) => {
      await owner.client.rooms.update(space.id, space.general, { name: 'renamed' })
      const [entry] = (await owner.client.auditLog.list(space.id)).entries
      return entry?.id ?? ''
    },
    ({ owner, space }, id) => owner.client.auditLog.undo(space.id, id),
  ),
}
