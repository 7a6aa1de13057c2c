import type { AuditAction } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatUntil } from '#src/ui/time/until.ts'
import type { EntryNames } from './names.ts'

/** Values for the placeholders of an entry's sentence. */
export type SentenceValues = Readonly<Record<string, string>>

export function sentenceValues(entry: AuditLogEntry, names: EntryNames): SentenceValues {
  const { before, after } = entry
  return {
    actor: actorName(entry, names),
    target: targetName(entry, names),
    room: names.room(entry.room_id ?? after?.room_id) ?? names.missingRoom.inSentence,
    person: names.user(personIn(entry)),
    role: names.role(after?.role_id ?? before?.role_id) ?? '',
    from: nameIn(entry, before?.name),
    to: nameIn(entry, after?.name),
    rule: String(after?.rule_name ?? before?.rule_name ?? ''),
    nickname: String(after?.nickname ?? ''),
    emoji: names.emoji(before?.emoji),
    until: typeof after?.until === 'string' ? formatUntil(after.until, serverNow()) : '',
  }
}

/** Returns the id of the user that the changed fields name: an author, an inviter or an owner. */
export function personIn({ before, after }: Pick<AuditLogEntry, 'before' | 'after'>): unknown {
  return after?.owner_id ?? before?.author_id ?? before?.user_id ?? before?.inviter_id ?? after?.inviter_id
}

/** Returns the ids of the newcomers in a decision. */
export function newcomersIn({ before, after }: Pick<AuditLogEntry, 'before' | 'after'>): string[] {
  const ids = after?.user_ids ?? before?.user_ids
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}

/** Returns true if an AutoMod rule made the change, not a user. */
export function isByAutomod(action: AuditAction): boolean {
  return action === 'automod_refuse' || action === 'automod_hold'
}

function actorName(entry: AuditLogEntry, names: EntryNames): string {
  const { actor_id, action, target_type, before, after } = entry
  if (actor_id !== null) return names.user(actor_id)
  const provider = after?.provider ?? before?.provider
  if (typeof provider === 'string') return t('The sign-in provider {provider}', { provider })
  if (isByAutomod(action)) return t('AutoMod')
  // Webhooks can be changed without an account, by anyone who has their URL.
  return target_type === 'webhook' ? t('Someone with the webhook URL') : t('The server')
}

function targetName(entry: AuditLogEntry, names: EntryNames): string {
  const { target_type, target_id, target_name } = entry
  if (target_type === 'user') return names.user(target_id)
  if (target_type === 'role' && target_id === names.spaceId) return '@everyone'
  return nameIn(entry, target_name)
}

function nameIn({ target_type }: AuditLogEntry, value: unknown): string {
  const name = typeof value === 'string' ? value : ''
  if (target_type === 'emoji') return `:${name}:`
  return roomName({ name })
}
