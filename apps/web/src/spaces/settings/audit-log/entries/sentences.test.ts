import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuditAction, auditActions } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { sampleForum } from '#src/store/samples.ts'
import { actionGroups } from './action-groups.ts'
import { changesOf } from './changes.ts'
import {
  GENERAL,
  GUIDES,
  KIM,
  MIRA,
  SPACE,
  sampleEntry,
  sampleNames,
  UNKNOWN,
  wholeEntry,
} from './entry-samples.ts'
import { entryNames } from './names.ts'
import { plainSentence, sentenceOf } from './sentences.ts'

const actions = Object.keys(auditActions).filter((name): name is AuditAction => name in auditActions)
const say = (entry: AuditLogEntry) => plainSentence(sentenceOf(entry, sampleNames))
const said = (action: AuditAction, change: Partial<AuditLogEntry>) => say(sampleEntry(action, change))

/** Ids, names of fields and data that was not formatted. */
const RAW = /[0-9a-f]{8}-[0-9a-f]{4}|[a-z]+_[a-z]+|[{}[\]]|undefined|null|NaN|Invalid/

for (const action of actions)
  test(`AUDIT-21, AUTOMOD-49 and DOOR-44: ${action} has a sentence and changes without ids or raw data`, () => {
    const entry = wholeEntry(action)
    const { rights, fields } = changesOf(entry, sampleNames)
    const values = fields.flatMap(({ label, before, after }) => [
      label,
      before?.text ?? '',
      after?.text ?? '',
    ])
    const texts = [say(entry), ...values, ...(rights?.added ?? []), ...(rights?.removed ?? [])]
    for (const text of texts) assert.doesNotMatch(text, RAW)
    assert.match(say(entry), /^(mira|kim) /)
  })

test('AUDIT-21, AUTOMOD-49 and DOOR-44: the filter offers every action once, under its own name', () => {
  const offered = actionGroups.flatMap(({ options }) => options)
  assert.deepEqual(offered.map(([action]) => action).toSorted(), actions.toSorted())
  assert.equal(new Set(offered.map(([, label]) => label)).size, actions.length)
})

test('AUDIT-21: a sentence names the one thing that changed', () => {
  const role = { target_type: 'role', target_id: GUIDES, target_name: 'Guides' }
  assert.equal(
    said('role_update', { ...role, before: { permissions: 0 }, after: { permissions: 2 } }),
    'mira changed the permissions of the role Guides',
  )
  assert.equal(
    said('role_update', { ...role, before: { name: 'Guides' }, after: { name: 'Hosts' } }),
    'mira renamed the role Guides to Hosts',
  )
  assert.equal(
    said('role_update', {
      ...role,
      before: { name: 'a', hoisted: true },
      after: { name: 'b', hoisted: false },
    }),
    'mira changed the role Guides',
  )
  assert.equal(
    said('overwrite_update', { ...role, target_id: SPACE, after: { deny_flags: 2 } }),
    'mira changed the permissions of the role @everyone in #general',
  )
  const voice = { room_id: null, before: { room_id: null }, after: { room_id: GENERAL } }
  assert.equal(said('member_voice', voice), 'mira moved kim to #general')
})

test('AUDIT-21: members who act on themselves, webhooks and the server have sentences of their own', () => {
  assert.equal(
    said('member_join', { actor_id: KIM, after: { invite_id: UNKNOWN } }),
    'kim joined with an invite',
  )
  assert.equal(
    said('member_update', { actor_id: KIM, before: { nickname: null }, after: { nickname: 'K' } }),
    'kim changed their nickname to K',
  )
  const webhook = { actor_id: null, target_type: 'webhook', target_name: 'Alerts' }
  assert.equal(
    said('webhook_delete', webhook),
    'Someone with the webhook URL deleted the webhook Alerts in #general',
  )
  assert.equal(said('ban_delete', { actor_id: null }), 'The server unbanned kim')
})

test('AUDIT-21: deleted roles, rooms and accounts are said to be so', () => {
  assert.equal(
    said('role_assign', { after: { role_id: UNKNOWN } }),
    'mira gave kim a role that has since been deleted',
  )
  assert.equal(said('message_pin', { room_id: UNKNOWN }), 'mira pinned a message in a deleted room')
  assert.equal(said('ban_create', { target_id: UNKNOWN }), 'mira banned Unknown account')
})

test('AUDIT-21: a room that is missing may also be hidden, except from administrators', () => {
  const space = { id: SPACE, roles: [], emojis: [] }
  const names = (viewsAll: boolean) =>
    entryNames({ space, rooms: {}, users: {}, nameOf: ({ username }) => username, viewsAll })
  assert.equal(names(true).missingRoom.alone, 'Deleted room')
  assert.equal(names(false).missingRoom.alone, 'Deleted or hidden room')
})

test('FORUM-22: threads of a forum are called posts', () => {
  const rooms = { [GENERAL]: sampleForum(GENERAL, { name: 'questions' }) }
  const space = { id: SPACE, roles: [], emojis: [] }
  const known = { space, rooms, users: {}, nameOf: () => 'mira', viewsAll: true }
  const entry = sampleEntry('thread_delete', { target_type: 'thread', target_name: 'Bus back' })
  assert.equal(
    plainSentence(sentenceOf(entry, entryNames(known))),
    'Unknown account deleted the post Bus back in questions',
  )
  assert.equal(say(entry), 'mira deleted the thread Bus back in #general')
})

test('AUDIT-21: several deleted messages are counted', () => {
  assert.equal(said('message_bulk_delete', { before: { count: 1 } }), 'mira deleted 1 message in #general')
  assert.equal(said('message_bulk_delete', { before: { count: 12 } }), 'mira deleted 12 messages in #general')
  assert.equal(
    said('message_delete', { before: { author_id: MIRA } }),
    'mira deleted a message by mira in #general',
  )
})

test('DOOR-44: a door has a sentence for each of its changes', () => {
  const door = (after: object, actor: string | null = MIRA) =>
    said('door_update', { actor_id: actor, before: {}, after: { ...after } })
  assert.equal(door({ closed: true, cause: 'moderator' }), 'mira closed the door')
  assert.equal(door({ closed: true, cause: 'joins' }, null), 'The door closed by itself')
  assert.equal(door({ closed: false }), 'mira opened the door')
  assert.equal(door({ joined_minutes: 60 }), 'mira made recent members wait for a moderator')
  assert.equal(door({ sensor: true }), 'mira set the door to close by itself in a raid')
  assert.equal(door({ sensor: false }), 'mira set the door not to close by itself')
  assert.equal(door({ sensor_joins: 40 }), 'mira changed when the door closes by itself')
})

test('DOOR-44: decisions on newcomers are counted, and name in their details those who are known', () => {
  const ids = [KIM, UNKNOWN, GENERAL]
  const decided = (action: AuditAction, after: object) => sampleEntry(action, { after: { ...after } })
  assert.equal(say(decided('newcomers_let_in', { user_ids: [KIM] })), 'mira let in 1 person')
  const removed = decided('newcomers_remove', { user_ids: ids, banned: false })
  assert.equal(say(removed), 'mira removed 3 newcomers and what they wrote')
  const banned = decided('newcomers_remove', { user_ids: ids, banned: true })
  assert.equal(say(banned), 'mira banned 3 newcomers and deleted what they wrote')
  const texts = (entry: AuditLogEntry) =>
    changesOf(entry, sampleNames).fields.map(({ label, after }) => [label, after?.text])
  assert.deepEqual(texts(removed), [['People', 'kim and 2 others']])
  assert.deepEqual(texts(decided('newcomers_let_in', { user_ids: [UNKNOWN, GENERAL] })), [
    ['People', '2 people'],
  ])
})
