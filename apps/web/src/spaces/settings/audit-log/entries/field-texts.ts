import type { AuditAction, auditActions } from '@foyer/protocol/audit-actions'
import { MessageFlag } from '@foyer/protocol/messages'
import { RoomType } from '@foyer/protocol/rooms'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, fill, t } from '#src/language/texts.ts'
import { resultLabels } from '#src/reports/reasons.ts'
import { hexOf } from '#src/roles/role-color.ts'
import { languageName } from '#src/spaces/settings/overview/languages.ts'
import { formatDuration } from '#src/ui/time/duration.ts'
import { keptFor } from '#src/ui/time/kept-for.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatUntil } from '#src/ui/time/until.ts'
import { automodFieldTexts } from './automod-fields.ts'
import { doorFieldTexts } from './door-fields.ts'
import type { Side, Value } from './field-values.ts'
import { forumFieldTexts } from './forum-fields.ts'
import type { EntryNames } from './names.ts'

export type FieldName = (typeof auditActions)[AuditAction][number]

/** Formats a value; null for a value of an unexpected type. */
type Show = (value: unknown, names: EntryNames, side: Side) => Value | null

interface FieldText {
  readonly label: string
  readonly show: Show
}

/** Fields that hold rights. The changed rights are shown by name instead. */
export const rightFields = [
  'permissions',
  'capabilities',
  'allow_flags',
  'deny_flags',
  'allow_capabilities',
  'deny_capabilities',
] as const satisfies readonly FieldName[]

/** Fields that are not shown: ids of objects without a name, and values that the sentence or another field contains. */
export const hiddenFields = [
  'invite_id',
  'target_type',
  'max_age',
  'rule_id',
  'from_id',
  'into_id',
] as const satisfies readonly FieldName[]

type ShownField = Exclude<FieldName, (typeof rightFields)[number] | (typeof hiddenFields)[number]>

const roomTypes = new Map<unknown, string>([
  [RoomType.Text, t('Text')],
  [RoomType.Voice, t('Voice')],
  [RoomType.Category, t('Category')],
  [RoomType.Forum, t('Forum')],
])

const reportResults = new Map<unknown, string>(Object.entries(resultLabels))

/** Labels and formats of all other fields. */
export const fieldTexts: Readonly<Record<ShownField, FieldText>> = {
  name: { label: t('Name'), show: text },
  description: { label: t('Description'), show: text },
  icon: { label: t('Picture'), show: picture },
  banner: { label: t('Banner'), show: picture },
  avatar: { label: t('Avatar'), show: picture },
  locale: { label: t('Space language'), show: given((tag) => languageName(tag)) },
  system_room_id: { label: t('New members are announced in'), show: room },
  audit_log_days: { label: t('Entries are kept for'), show: (days) => ({ text: keptFor(days) }) },
  retention_days: { label: t('Messages are kept for'), show: retention },
  needs_second_factor: { label: t('Moderators need two-step login'), show: yesOrNo },
  owner_id: { label: t('Owner'), show: user },
  type: { label: t('Type'), show: (type) => plain(roomTypes.get(type)) },
  parent_id: { label: t('Category'), show: room },
  position: { label: t('Position'), show: count },
  slow_mode_seconds: { label: t('Slow mode'), show: (value) => duration(value, t('Off')) },
  color_from: { label: t('First colour'), show: color },
  color_via: { label: t('Second colour'), show: color },
  color_to: { label: t('Third colour'), show: color },
  hoisted: { label: t('Show separately'), show: yesOrNo },
  provider: { label: t('Sign-in provider'), show: text },
  group: { label: t('Group'), show: text },
  role_id: { label: t('Role'), show: (id, names) => ({ text: names.role(id) ?? t('Deleted role') }) },
  nickname: { label: t('Nickname'), show: text },
  mute: { label: t('Muted'), show: yesOrNo },
  deaf: { label: t('Deafened'), show: yesOrNo },
  room_id: { label: t('Room'), show: room },
  until: { label: t('Ends'), show: given(time) },
  reason: { label: t('Reason'), show: text },
  delete_seconds: { label: t('Deleted message history'), show: (value) => duration(value, NOT_SET) },
  max_uses: { label: t('Can be used by'), show: people },
  temporary: { label: t('Temporary membership'), show: yesOrNo },
  inviter_id: { label: t('Created by'), show: user },
  expires_at: {
    label: t('Expires'),
    show: (value) => ({ text: typeof value === 'string' ? time(value) : t('Never') }),
  },
  has_secret: { label: t('Has a secret for GitHub'), show: yesOrNo },
  active: { label: t('In use'), show: yesOrNo },
  included: { label: t('Included with this server'), show: yesOrNo },
  max_bytes: { label: t('Storage limit'), show: size },
  upload_limit_bytes: { label: t('File size limit'), show: size },
  flags: { label: t('Link previews'), show: previews },
  author_id: { label: t('Author'), show: user },
  count: { label: t('Count'), show: count },
  emoji: { label: t('Reaction'), show: (key, names) => ({ text: names.emoji(key) }) },
  user_id: { label: t('Reaction by'), show: user },
  answer: { label: t('Answer'), show: text },
  since: { label: t('Readable messages since'), show: given(time) },
  whole_from: { label: t('Earlier messages readable from'), show: given(time) },
  is_indexed: { label: t('Indexed by search engines'), show: yesOrNo },
  title: { label: t('Title'), show: text },
  quiet_minutes: { label: t('Sleep after inactivity'), show: (value) => quiet(value) },
  is_closed: { label: t('Closed'), show: yesOrNo },
  is_asleep: { label: t('Asleep'), show: yesOrNo },
  creator_id: { label: t('Started by'), show: user },
  message_count: { label: t('Messages'), show: count },
  replies: {
    label: t('Replies'),
    show: (value) => plain(value === 'threads' ? t('In threads') : t('In the room')),
  },
  announces: { label: t('Announcements'), show: yesOrNo },
  result: { label: t('Result'), show: (value) => plain(reportResults.get(value)) },
  ...automodFieldTexts,
  ...doorFieldTexts,
  ...forumFieldTexts,
}

const NOT_SET = t('Not set')

function quiet(minutes: unknown): Value | null {
  return duration(typeof minutes === 'number' ? minutes * 60 : minutes, t('Never'))
}

function people(value: unknown): Value | null {
  if (typeof value !== 'number') return null
  return {
    text: value === 0 ? t('Any number of people') : counted(value, '{count} person', '{count} people'),
  }
}

function plain(value: string | undefined): Value | null {
  return value === undefined ? null : { text: value }
}

function text(value: unknown): Value | null {
  if (value === null || value === '') return { text: NOT_SET }
  return typeof value === 'string' ? { text: value } : null
}

/** Returns a formatter for a text that may be unset. */
function given(format: (value: string) => string): (value: unknown) => Value | null {
  return (value) => (typeof value === 'string' ? { text: format(value) } : text(value))
}

function time(value: string): string {
  return formatUntil(value, serverNow())
}

/** Describes a picture in words, because replaced pictures are deleted and cannot be shown. */
function picture(value: unknown, _names: EntryNames, side: Side): Value {
  if (typeof value !== 'string') return { text: NOT_SET }
  return { text: side === 'before' ? t('Previous picture') : t('New picture') }
}

function room(id: unknown, names: EntryNames): Value {
  if (typeof id !== 'string') return { text: NOT_SET }
  return { text: names.room(id) ?? names.missingRoom.alone }
}

function user(id: unknown, names: EntryNames): Value {
  return { text: typeof id === 'string' ? names.user(id) : NOT_SET }
}

function count(value: unknown): Value | null {
  return typeof value === 'number' ? { text: fill('{count}', { count: value }) } : null
}

/** Formats the days that messages are kept. If not set, rooms use the days of their space, and spaces keep messages forever. */
function retention(value: unknown): Value | null {
  if (value === null) return { text: NOT_SET }
  return typeof value === 'number' ? { text: keptFor(value) } : null
}

function duration(value: unknown, none: string): Value | null {
  if (value === null || value === 0) return { text: none }
  return typeof value === 'number' ? { text: formatDuration(value) } : null
}

function size(value: unknown): Value | null {
  if (value === null) return { text: t('No limit') }
  return typeof value === 'number' ? { text: formatSize(value) } : null
}

function color(value: unknown): Value | null {
  if (value === null) return { text: NOT_SET }
  return typeof value === 'number' ? { text: hexOf(value), color: hexOf(value) } : null
}

function yesOrNo(value: unknown): Value | null {
  return typeof value === 'boolean' ? { text: value ? t('Yes') : t('No') } : null
}

function previews(flags: unknown): Value | null {
  if (typeof flags !== 'number') return null
  return { text: (flags & MessageFlag.SuppressEmbeds) === 0 ? t('Shown') : t('Hidden') }
}
