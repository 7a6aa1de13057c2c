/** The kind of object that an action changes. */
export type AuditTargetType =
  | 'space'
  | 'room'
  | 'role'
  | 'user'
  | 'invite'
  | 'webhook'
  | 'emoji'
  | 'sticker'
  | 'bucket'
  | 'message'
  | 'attachment'
  | 'automod_rule'
  | 'thread'

const space = [
  'name',
  'description',
  'icon',
  'banner',
  'locale',
  'system_room_id',
  'audit_log_days',
  'retention_days',
  'needs_second_factor',
] as const
const room = [
  'name',
  'type',
  'parent_id',
  'description',
  'position',
  'slow_mode_seconds',
  'retention_days',
  'replies',
  'announces',
  'forum',
] as const
const webRoom = ['since', 'whole_from', 'is_indexed'] as const
const role = [
  'name',
  'permissions',
  'capabilities',
  'color_from',
  'color_via',
  'color_to',
  'hoisted',
  'position',
] as const
const overwrite = [
  'target_type',
  'allow_flags',
  'deny_flags',
  'allow_capabilities',
  'deny_capabilities',
] as const
/** Fields of an AutoMod rule, without its words and hosts: readers of the log may lack the permission to see them. */
const automodRule = [
  'name',
  'mode',
  'action',
  'message',
  'alert_room_id',
  'timeout_minutes',
  'exempt_role_ids',
  'exempt_room_ids',
] as const
const caught = ['rule_id', 'rule_name', 'source'] as const
const image = ['name'] as const
const invite = ['inviter_id', 'max_age', 'max_uses', 'temporary', 'expires_at'] as const
const webhook = ['name', 'room_id', 'avatar', 'has_secret'] as const
const bucket = ['name', 'active', 'included', 'max_bytes', 'upload_limit_bytes'] as const

/**
 * All actions of the audit log, and the fields whose values an entry keeps. Secrets and addresses of storage are
 * excluded: readers of the log may lack the permission to see them.
 */
export const auditActions = {
  space_create: ['name'],
  space_update: space,
  space_transfer: ['owner_id'],
  space_export: [],
  room_create: room,
  room_update: room,
  room_delete: room,
  web_room_open: webRoom,
  web_room_update: webRoom,
  web_room_close: webRoom,
  role_create: role,
  role_update: role,
  role_delete: role,
  role_assign: ['role_id', 'provider'],
  role_remove: ['role_id', 'provider'],
  group_role_create: ['provider', 'group'],
  group_role_update: ['provider', 'group'],
  group_role_delete: ['provider', 'group'],
  overwrite_update: overwrite,
  overwrite_delete: overwrite,
  member_join: ['invite_id'],
  member_leave: [],
  door_update: ['closed', 'cause', 'joined_minutes', 'sensor', 'sensor_joins'],
  newcomers_let_in: ['user_ids'],
  newcomers_remove: ['user_ids', 'banned'],
  member_kick: [],
  member_update: ['nickname'],
  member_voice: ['mute', 'deaf', 'room_id'],
  timeout_create: ['until', 'reason'],
  timeout_delete: ['until', 'reason'],
  ban_create: ['reason', 'delete_seconds'],
  ban_delete: ['reason'],
  appeal_refuse: ['answer'],
  report_close: ['result', 'count'],
  bot_add: [],
  bot_remove: [],
  invite_create: invite,
  invite_delete: invite,
  webhook_create: webhook,
  webhook_update: webhook,
  webhook_delete: webhook,
  bucket_create: bucket,
  bucket_update: bucket,
  bucket_delete: bucket,
  emoji_create: image,
  emoji_update: image,
  emoji_delete: image,
  sticker_create: image,
  sticker_update: image,
  sticker_delete: image,
  message_update: ['flags'],
  message_delete: ['author_id'],
  message_bulk_delete: ['count'],
  message_pin: [],
  message_unpin: [],
  reaction_remove: ['emoji', 'user_id'],
  reaction_clear: [],
  attachment_delete: [],
  attachment_clear: ['count'],
  automod_rule_create: automodRule,
  automod_rule_update: automodRule,
  automod_rule_delete: automodRule,
  automod_refuse: caught,
  automod_hold: caught,
  thread_update: [
    'title',
    'quiet_minutes',
    'is_closed',
    'is_asleep',
    'tags',
    'is_pinned',
    'solved_message_id',
  ],
  thread_delete: ['title', 'creator_id', 'message_count'],
  thread_move: ['count', 'from_id'],
  thread_merge: ['title', 'into_id', 'count'],
  held_message_approve: ['rule_id', 'rule_name'],
  held_message_reject: ['rule_id', 'rule_name'],
} as const satisfies Record<string, readonly string[]>

export type AuditAction = keyof typeof auditActions

/** Image fields. Undoing a change cannot restore them, because the previous image is deleted. */
const LOST_FIELDS: readonly string[] = ['icon', 'banner']

/** Actions whose change can be undone from their entry. */
const reversible: ReadonlySet<AuditAction> = new Set([
  'space_update',
  'room_update',
  'role_update',
  'role_assign',
  'role_remove',
  'overwrite_update',
  'overwrite_delete',
  'member_update',
  'timeout_create',
  'timeout_delete',
  'ban_create',
  'ban_delete',
])

interface Undoable {
  readonly action: AuditAction
  readonly before: Readonly<Record<string, unknown>> | null
  readonly undone_by: string | null
}

/** Returns true if the change of the entry can be undone, provided that the fields have not changed since. */
export function isReversible({ action, before, undone_by }: Undoable): boolean {
  if (undone_by !== null || !reversible.has(action)) return false
  return action !== 'space_update' || Object.keys(before ?? {}).some((field) => !LOST_FIELDS.includes(field))
}
