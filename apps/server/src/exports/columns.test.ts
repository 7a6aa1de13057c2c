import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { DatabaseSnapshot } from '#src/kernel/database/snapshot-reads.ts'
import { newId } from '#src/kernel/ids.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHiddenUserColumns, listUserColumns } from '#test/user-columns.ts'
import { sections } from './account/sections.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const PROFILE = 'data/profile.json'
const MESSAGES = 'messages'

/** Columns with ids of users, and the file of the export with the rows of the person. */
const exported: Readonly<Record<string, string>> = {
  'account_snapshots.user_id': 'account-changes',
  'appeals.user_id': 'appeals',
  'applications.owner_id': 'applications',
  'attachments.owner_id': MESSAGES,
  'audit_log.actor_id': 'audit-log',
  'automod_hits.user_id': 'automod-hits',
  'bans.user_id': 'bans',
  'blocks.user_id': 'blocks',
  'conversation_members.user_id': 'conversations',
  'conversations.owner_id': 'conversations',
  'friend_requests.receiver_id': 'friend-requests-received',
  'friend_requests.sender_id': 'friend-requests-sent',
  'friendships.friend_id': 'friends',
  'friendships.user_id': 'friends',
  'group_roles.set_by': 'group-roles',
  'held_messages.user_id': 'held-messages',
  'identities.user_id': 'identities',
  'invites.inviter_id': 'invites',
  'member_roles.user_id': 'roles',
  'members.user_id': 'spaces',
  'messages.author_id': MESSAGES,
  'newcomers.user_id': 'newcomers',
  'notification_settings.user_id': 'notification-settings',
  'operator_invites.created_by': 'operator-invites',
  'operator_log.actor_id': 'operator-log',
  'operators.user_id': 'operator',
  'passkeys.user_id': 'passkeys',
  'pins.pinned_by': 'pins',
  'push_subscriptions.user_id': 'push-subscriptions',
  'reactions.user_id': 'reactions',
  'read_states.user_id': 'read-states',
  'recovery_codes.user_id': PROFILE,
  'reports.reporter_id': 'reports',
  'sessions.user_id': 'sessions',
  'space_images.creator_id': 'emojis-and-stickers',
  'spaces.owner_id': 'spaces',
  'thread_follows.user_id': 'followed-threads',
  'thread_rooms.creator_id': 'threads',
  'timeouts.user_id': 'timeouts',
  'totp.user_id': PROFILE,
  'webhooks.creator_id': 'webhooks',
}

/** Columns with ids of users whose rows are in no export, and why. */
const notExported: Readonly<Record<string, string>> = {
  'audit_log.target_id': 'what others did, and their reasons',
  'bans.banned_by': 'the ban of another person; the audit log has the action',
  'blocks.blocked_id': 'by whom the person is blocked, which nobody is told',
  'bot_tokens.user_id': 'a bot, which is no person',
  'applications.id': 'a bot, which is no person',
  'calls.initiator_id': 'until the call ends',
  'calls.participant_ids': 'until the call ends',
  'calls.ringing': 'until the call ends',
  'direct_conversations.other_id': 'an index of conversations',
  'direct_conversations.user_id': 'an index of conversations',
  'followed_rooms.leased_by': 'no user: the process that copies from the room',
  'remote_follows.taken_by': 'no user: the turn that copies for the follow',
  'ephemeral_messages.user_id': 'messages of bots, for minutes',
  'exports.user_id': 'the export itself',
  'interaction_nonces.user_id': 'for a day, so that a repeated request does nothing',
  'interactions.user_id': 'for minutes',
  'known_devices.user_id': 'a code that nobody can read',
  'mail_tokens.user_id': 'a secret, for a day',
  'mentions.author_id': 'an index of messages',
  'mentions.target_id': 'an index of messages of others',
  'message_nonces.author_id': 'for a day, so that a repeated request does nothing',
  'messages.mention_ids': 'messages of others; those of the person have the mention in their text',
  'operator_log.target_id': 'what operators did, and their reasons',
  'operators.granted_by': 'the right of another person; the log of operators has the action',
  'owner_proofs.user_id': 'a secret, for minutes',
  'passkey_challenges.user_id': 'a secret, for minutes',
  'report_notes.author_id': 'notes of those who decide, about others',
  'reports.assignee_id': 'reports of others',
  'reports.closed_by': 'reports of others',
  'reports.target_id': 'reports of others, who must not be found out',
  'reports.user_id': 'reports of others, who must not be found out',
  'appeals.decided_by': 'the appeal of another person',
  'room_overwrites.target_id': 'rights of a room, which may be hidden from the person',
  'slow_mode_turns.user_id': 'for hours: when the person wrote last, which their messages say',
  'space_imports.user_id': 'the archive of a space that the person brought, for a day',
  'spaces.door_closed_by': 'the audit log has the action',
  'thread_rooms.closed_by': 'the audit log has the action',
  'web_rooms.opened_by': 'the audit log has the action',
  'timeouts.moderator_id': 'the timeout of another person; the audit log has the action',
  'voice_states.user_id': 'until they leave the voice room',
}

test('EXPORT-7: every column that names users is in an export, or known not to be', async () => {
  const columns = [...(await listUserColumns(server)), ...(await listHiddenUserColumns(server))]
  const found = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const known = [...Object.keys(exported), ...Object.keys(notExported)]
  assert.deepEqual([...found].toSorted(), known.toSorted())
})

test('EXPORT-7: every file that the list names is in the export', () => {
  const names = new Set([...sections.map(({ name }) => name), PROFILE, MESSAGES])
  assert.deepEqual(
    Object.values(exported).filter((name) => !names.has(name)),
    [],
  )
})

test('EXPORT-7: each file is read from the table that the list names', async () => {
  const asked: string[] = []
  await using snapshot = await server.deps.snapshotReads.open()
  const database: DatabaseSnapshot = {
    query: <R extends pg.QueryResultRow>(query: Query) => {
      asked.push(query.text)
      return snapshot.query<R>(query)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  for (const [column, name] of Object.entries(exported)) {
    const section = sections.find((each) => each.name === name)
    if (section === undefined) continue
    asked.length = 0
    for await (const _page of section.pages(database, newId())) assert.ok(asked.length > 0)
    const [table = ''] = column.split('.')
    assert.match(asked.join(), new RegExp(`\\b${table}\\b`), `${column}: ${name}`)
  }
})

test('EXPORT-7: a new column is found', async (context) => {
  const { database } = server.deps
  context.after(() => database.execute(sql`drop table passports`))
  await database.execute(sql`create table passports (id uuid primary key, user_id uuid not null)`)
  const names = (await listUserColumns(server)).map(({ table, column }) => `${table}.${column}`)
  assert.ok(names.includes('passports.user_id'))
})
