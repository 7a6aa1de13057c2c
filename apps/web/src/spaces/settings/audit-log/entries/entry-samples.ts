import { type AuditAction, auditActions } from '@foyer/protocol/audit-actions'
import type { AuditFields, AuditLogEntry } from '@foyer/protocol/audit-log'
import { sampleRole, sampleRoom, sampleSpaceImage, sampleUser } from '#src/store/samples.ts'
import { nameLookup } from '#src/store/selectors.ts'
import type { FieldName } from './field-texts.ts'
import type { Side } from './field-values.ts'
import { type EntryNames, entryNames } from './names.ts'

/** Entries and names for tests. Ids have the server's format, so that tests recognize them in texts. */
export const SPACE = '01990000-0000-7000-8000-000000000001'
export const MIRA = '01990000-0000-7000-8000-000000000002'
export const KIM = '01990000-0000-7000-8000-000000000003'
export const GUIDES = '01990000-0000-7000-8000-000000000004'
export const GENERAL = '01990000-0000-7000-8000-000000000005'
export const TENT = '01990000-0000-7000-8000-000000000006'
export const UNKNOWN = '01990000-0000-7000-8000-000000000007'

const users = { [MIRA]: sampleUser(MIRA, { username: 'mira' }), [KIM]: sampleUser(KIM, { username: 'kim' }) }

export const sampleNames: EntryNames = entryNames({
  space: {
    id: SPACE,
    roles: [sampleRole(SPACE), sampleRole(GUIDES, { name: 'Guides', space_id: SPACE })],
    emojis: [sampleSpaceImage(TENT, { name: 'tent' })],
  },
  rooms: { [GENERAL]: sampleRoom(GENERAL, { name: 'general' }) },
  users,
  nameOf: nameLookup(users, undefined, undefined),
  viewsAll: true,
})

/** An entry by Mira. */
export function sampleEntry(action: AuditAction, change: Partial<AuditLogEntry> = {}): AuditLogEntry {
  return {
    id: UNKNOWN,
    space_id: SPACE,
    actor_id: MIRA,
    action,
    target_type: 'user',
    target_id: KIM,
    target_name: null,
    room_id: GENERAL,
    before: null,
    after: null,
    reason: null,
    undoes: null,
    undone_by: null,
    created_at: '2026-01-01T12:00:00.000Z',
    ...change,
  }
}

/** An entry that has all fields of its action, on both sides. */
export function wholeEntry(action: AuditAction): AuditLogEntry {
  const [prefix = ''] = action.split('_')
  const target = targets[action] ?? targets[prefix] ?? {}
  return sampleEntry(action, {
    ...target,
    before: fieldsOf(action, 'before'),
    after: fieldsOf(action, 'after'),
  })
}

const targets: Readonly<Record<string, Partial<AuditLogEntry>>> = {
  space: { target_type: 'space', target_id: SPACE, target_name: 'Hikers' },
  room: { target_type: 'room', target_id: GENERAL, target_name: 'general' },
  web: { target_type: 'room', target_id: GENERAL, target_name: 'general' },
  group: { target_type: 'role', target_id: GUIDES, target_name: 'Guides' },
  overwrite: { target_type: 'role', target_id: GUIDES, target_name: 'Guides' },
  invite: { target_type: 'invite', target_id: UNKNOWN },
  webhook: { target_type: 'webhook', target_id: UNKNOWN, target_name: 'Alerts' },
  bucket: { target_type: 'bucket', target_id: UNKNOWN, target_name: 'Disk' },
  emoji: { target_type: 'emoji', target_id: TENT, target_name: 'tent' },
  sticker: { target_type: 'sticker', target_id: UNKNOWN, target_name: 'wave' },
  message: { target_type: 'message', target_id: UNKNOWN },
  thread: { target_type: 'thread', target_id: UNKNOWN, target_name: 'Tea' },
  reaction: { target_type: 'message', target_id: UNKNOWN },
  attachment: { target_type: 'attachment', target_id: UNKNOWN },
  door: { target_type: 'space', target_id: SPACE, target_name: 'Hikers' },
  newcomers: { target_type: 'space', target_id: SPACE, target_name: 'Hikers' },
  automod_refuse: {},
  automod_hold: {},
  automod: { target_type: 'automod_rule', target_id: UNKNOWN, target_name: 'No spam' },
}

function fieldsOf(action: AuditAction, side: Side): AuditFields {
  const names: readonly FieldName[] = auditActions[action]
  return Object.fromEntries(names.map((name) => [name, values[name][side === 'before' ? 0 : 1]]))
}

const values: Readonly<Record<FieldName, readonly [before: unknown, after: unknown]>> = {
  name: ['old', 'new'],
  description: [null, 'Up and down'],
  icon: [null, UNKNOWN],
  banner: [UNKNOWN, null],
  avatar: [UNKNOWN, GENERAL],
  locale: ['sv', null],
  system_room_id: [GENERAL, UNKNOWN],
  audit_log_days: [90, null],
  retention_days: [null, 30],
  needs_second_factor: [false, true],
  owner_id: [MIRA, KIM],
  type: [0, 1],
  parent_id: [null, UNKNOWN],
  position: [3, 1],
  slow_mode_seconds: [0, 300],
  permissions: [0, 2],
  capabilities: [1, 0],
  color_from: [null, 0xff8800],
  color_via: [0, null],
  color_to: [1, 2],
  hoisted: [false, true],
  target_type: [0, 0],
  allow_flags: [2, 0],
  deny_flags: [0, 2],
  allow_capabilities: [0, 256],
  deny_capabilities: [512, 0],
  provider: [null, 'Main login'],
  group: ['staff', 'crew'],
  role_id: [GUIDES, GUIDES],
  invite_id: [UNKNOWN, UNKNOWN],
  nickname: [null, 'Kimmy'],
  mute: [false, true],
  deaf: [true, false],
  room_id: [null, GENERAL],
  until: ['2026-01-01T13:00:00.000Z', '2026-01-02T12:00:00.000Z'],
  reason: [null, 'Spam'],
  delete_seconds: [0, 604_800],
  inviter_id: [KIM, KIM],
  max_age: [0, 3600],
  max_uses: [0, 5],
  temporary: [false, true],
  expires_at: [null, '2026-01-02T12:00:00.000Z'],
  has_secret: [false, true],
  active: [true, false],
  included: [false, true],
  max_bytes: [null, 1_048_576],
  upload_limit_bytes: [1024, 2048],
  flags: [0, 1],
  author_id: [KIM, KIM],
  count: [5, 5],
  emoji: [TENT, '👍'],
  user_id: [KIM, KIM],
  answer: [null, 'Not yet.'],
  since: ['2026-01-01T12:00:00.000Z', '2026-01-02T12:00:00.000Z'],
  whole_from: [null, '2026-01-09T12:00:00.000Z'],
  is_indexed: [true, false],
  title: ['Tea', 'Coffee'],
  quiet_minutes: [0, 60],
  is_closed: [false, true],
  is_asleep: [true, false],
  creator_id: [KIM, KIM],
  message_count: [3, 4],
  from_id: [UNKNOWN, UNKNOWN],
  into_id: [UNKNOWN, UNKNOWN],
  replies: ['room', 'threads'],
  announces: [false, true],
  forum: [
    { guidelines: null, template: null, tags: [] },
    { guidelines: 'Be kind', template: null, tags: [{ name: 'Bug' }, { name: 'Idea' }] },
  ],
  tags: [[], [UNKNOWN]],
  is_pinned: [false, true],
  solved_message_id: [null, UNKNOWN],
  result: [null, 'acted'],
  mode: ['test', 'on'],
  action: ['refuse', 'hold'],
  message: [null, 'Please be kind.'],
  alert_room_id: [null, GENERAL],
  timeout_minutes: [null, 10],
  exempt_role_ids: [[], [GUIDES]],
  exempt_room_ids: [[GENERAL], [UNKNOWN]],
  rule_id: [UNKNOWN, UNKNOWN],
  rule_name: ['No spam', 'No spam'],
  source: ['message', 'edit'],
  closed: [false, true],
  cause: [null, 'joins'],
  joined_minutes: [0, 10],
  sensor: [false, true],
  sensor_joins: [20, 40],
  user_ids: [[], [KIM, UNKNOWN]],
  banned: [false, true],
}
