import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Reports } from '@foyer/sdk/api/reports'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { logIn, signIn } from '#test/scenes/accounts.ts'
import { acquaint } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { listTablesWith } from '#test/table-scan.ts'
import { until } from '#test/until.ts'
import { listUserColumns } from '#test/user-columns.ts'
import { accountJobs } from './jobs.ts'

let server: TestServer
let host: Person
let space: TestSpace

before(async () => {
  server = await startOwnServer()
  host = await createPerson(server, 'host')
  space = await makeSpace(host)
})
after(() => server.close())

/** Deleted with the account, by its transaction, by a reference to what it deletes, or by the job after it. */
const deletedWithIt =
  `account_snapshots appeals applications blocks bot_tokens exports friend_requests friendships held_messages
  identities known_devices mail_tokens member_roles members notification_settings operators owner_proofs passkey_challenges
  passkeys push_subscriptions read_states recovery_codes sessions space_imports thread_follows totp voice_states`.split(
    /\s+/,
  )

/** Tables that keep the id of a deleted account, which then leads to no name, and why. */
const keepsId: Readonly<Record<string, string>> = {
  attachments: 'files of its messages; its pictures are deleted',
  audit_log: 'what it did to a space, as long as the space keeps entries',
  automod_hits: 'for seven days',
  bans: 'as long as the space',
  calls: 'until the call ends',
  conversation_members: 'the other user of a direct conversation still reads it; groups are left',
  conversations: 'groups get another owner',
  direct_conversations: 'so that nobody starts a second one with it',
  ephemeral_messages: 'for minutes',
  followed_rooms: 'no user: the process that copies from the room',
  group_roles: 'who mapped a group to a role, as long as the mapping',
  interaction_nonces: 'for a day',
  interactions: 'for minutes',
  invites: 'until they expire or are revoked',
  mentions: 'of its messages',
  message_nonces: 'for a day',
  messages: 'the conversation of others would fall apart',
  newcomers: 'what it wrote in a raid can still be removed',
  operator_invites: 'until they expire or are deleted',
  operator_log: 'for a year',
  pins: 'of messages that stay',
  reactions: 'on messages that stay',
  remote_follows:
    'no user: the process that copies for the follow, and the address that another server calls',
  report_notes: 'as long as the report',
  reports: 'copies, for those who decide',
  slow_mode_turns: 'for hours',
  space_images: 'emojis and stickers of the space',
  spaces: 'deleted ones, until they are purged',
  thread_rooms: 'threads stay, as others write in them',
  timeouts: 'until they end',
  web_rooms: 'who opened a room to the web, as long as it is there',
  webhooks: 'they post without their creator',
}

async function makeLeaver(username: string): Promise<Person> {
  const tokens = await signIn(server, username)
  const leaver = { ...host, id: tokens.user.id, client: new Client({ baseUrl: server.url, tokens }) }
  await join(leaver, host, space)
  return leaver
}

/** Lists the tables that have one of the texts, but for the journal: that goes by its age, within a day and a half. */
async function listKept(texts: readonly string[]): Promise<string[]> {
  const names = await listTablesWith(server, texts)
  return names.filter((name) => !name.startsWith('events'))
}

test('ERASE-8: no table has the name, address, texts or nicknames of a deleted account', async () => {
  const leaver = await makeLeaver('zanzibar')
  await logIn(server, 'zanzibar')
  await leaver.client.users.updateMe({ alias: 'Zanzibar the Great', custom: 'in zanzibar' })
  await acquaint(server, [leaver, host])
  await leaver.client.friends.sendRequest((await createPerson(server, 'other')).id)
  await host.client.members.update(space.id, leaver.id, { nickname: 'Zanzibar at work' })
  await leaver.client.messages.create(space.general, { content: 'stays' })
  await host.client.members.kick(space.id, leaver.id)
  await join(leaver, host, space)
  const listNamed = () => listKept(['zanzibar', 'Zanzibar'])
  assert.ok((await listNamed()).includes('audit_log') && (await listNamed()).includes('users'))
  await leaver.client.users.deleteMe({ password: TEST_PASSWORD })
  await until(async () => (await listNamed()).length === 0, 'nothing has the name')
  assert.deepEqual(
    (await host.client.messages.list(space.general)).map(({ content }) => content),
    ['stays'],
  )
  const { entries } = await host.client.auditLog.list(space.id, { action: 'member_update' })
  assert.deepEqual([entries[0]?.target_id, entries[0]?.before, entries[0]?.after], [leaver.id, null, null])
})

test('ERASE-8: every table with the id of a user is deleted with the account, or known to keep the id', async () => {
  const tables = new Set((await listUserColumns(server)).map(({ table }) => table))
  const known = [...deletedWithIt, ...Object.keys(keepsId)]
  assert.deepEqual([...tables], known.toSorted())
  const leaver = await makeLeaver('comoro')
  await acquaint(server, [leaver, host])
  await leaver.client.friends.block((await createPerson(server, 'unguja')).id)
  await leaver.client.messages.create(space.general, { content: 'here' })
  await leaver.client.users.deleteMe({ password: TEST_PASSWORD })
  const left = async () => (await listKept([leaver.id])).filter((name) => deletedWithIt.includes(name))
  await until(async () => (await left()).length === 0, 'those tables have nothing of it')
})

test('ERASE-8: copies in reports stay for those who decide', async () => {
  const leaver = await makeLeaver('pemba')
  await host.client.api(Reports).create({ user_id: leaver.id, reason: 'spam', text: 'look' })
  await leaver.client.users.deleteMe({ password: TEST_PASSWORD })
  await until(async () => (await listKept(['pemba'])).join() === 'reports', 'only the report is left')
})

test('ERASE-8: what a deleted account has read is deleted, and a run that was interrupted continues', async () => {
  const leaver = await makeLeaver('mafia')
  await server.deps.database.execute(sql`
    insert into read_states (user_id, channel_id, tenant_id)
    select ${leaver.id}, gen_random_uuid(), ${space.id} from generate_series(1, 2500)`)
  const count = async (userId: string) => {
    const rows = await server.deps.database.query(sql`select from read_states where user_id = ${userId}`)
    return rows.length
  }
  const forget = accountJobs(server.deps).handlers.forget_account
  const kept = await count(host.id)
  await forget?.({ user_id: leaver.id }, { abortSignal: AbortSignal.abort() })
  await until(async () => (await count(leaver.id)) === 0, 'its read states are deleted')
  assert.equal(await count(host.id), kept)
})
