import { type AuditAction, auditActions } from '@foyer/protocol/audit-actions'
import type { AuditFields, AuditLogEntry } from '@foyer/protocol/audit-log'
import { changedOnly } from './changed-fields.ts'
import { type FieldName, fieldTexts } from './field-texts.ts'
import type { FieldChange, Side } from './field-values.ts'
import type { EntryNames } from './names.ts'
import { overwriteChanges, type RightsChange, rightsChange } from './right-changes.ts'

export interface Changes {
  readonly rights: RightsChange | null
  readonly fields: readonly FieldChange[]
}

type Changed = Pick<AuditLogEntry, 'action' | 'before' | 'after' | 'reason'>

/** Fields that the sentence of their action already contains. */
const inSentence: Partial<Record<AuditAction, readonly FieldName[]>> = {
  space_create: ['name'],
  space_transfer: ['owner_id'],
  room_create: ['name', 'type'],
  room_delete: ['name', 'type'],
  role_create: ['name'],
  role_delete: ['name'],
  role_assign: ['role_id', 'provider'],
  role_remove: ['role_id', 'provider'],
  invite_create: ['inviter_id'],
  invite_delete: ['inviter_id'],
  webhook_create: ['name', 'room_id'],
  webhook_delete: ['name', 'room_id'],
  bucket_create: ['name'],
  bucket_delete: ['name'],
  emoji_create: ['name'],
  emoji_update: ['name'],
  emoji_delete: ['name'],
  sticker_create: ['name'],
  sticker_update: ['name'],
  sticker_delete: ['name'],
  message_update: ['flags'],
  message_delete: ['author_id'],
  message_bulk_delete: ['count'],
  reaction_remove: ['emoji', 'user_id'],
  attachment_clear: ['count'],
  automod_rule_create: ['name'],
  automod_rule_delete: ['name'],
  automod_refuse: ['rule_name'],
  automod_hold: ['rule_name', 'source'],
  held_message_approve: ['rule_name'],
  held_message_reject: ['rule_name'],
  door_update: ['closed'],
  newcomers_remove: ['banned'],
}

/** Returns the displayed changes of an entry, without the fields in its sentence. */
export function changesOf(entry: Changed, names: EntryNames): Changes {
  const skipped = changedOnly(entry, 'name') ? RENAMED : (inSentence[entry.action] ?? [])
  return changesWithout(skipped, entry, names)
}

/** The sentence of a renaming contains both names. */
const RENAMED: readonly FieldName[] = ['name']

function changesWithout(skipped: readonly string[], entry: Changed, names: EntryNames): Changes {
  const { action, before, after } = entry
  const kept: readonly string[] = auditActions[action]
  const present = Object.keys({ ...before, ...after })
  const fields = Object.entries(fieldTexts)
    .filter(([name]) => kept.includes(name) && present.includes(name) && !skipped.includes(name))
    .filter(([name]) => isTelling(name, entry))
    .map(([name, { label, show }]): FieldChange => {
      const side = (fields: AuditFields | null, which: Side) =>
        fields === null ? null : show(fields[name], names, which)
      return { label, before: side(before, 'before'), after: side(after, 'after') }
    })
  return { rights: rightsChange(entry), fields: [...overwriteChanges(entry), ...fields] }
}

/** Returns the changes that undoing the entry would make. */
export function restoredBy({ before, after, ...entry }: Changed, names: EntryNames): Changes {
  const restoring = { ...entry, before: withoutPictures(after), after: withoutPictures(before) }
  return changesWithout([], restoring, names)
}

/** Undoing does not bring back pictures: they are deleted when others replace them. */
function withoutPictures(fields: AuditFields | null): AuditFields | null {
  const { icon: _icon, banner: _banner, ...others } = fields ?? {}
  return fields && others
}

export function isEmpty({ rights, fields }: Changes): boolean {
  return rights === null && fields.length === 0
}

/** Returns false for most unset fields of a new or deleted object, its position, and a reason or end shown elsewhere. */
function isTelling(name: string, { before, after, reason }: Changed): boolean {
  if (before !== null && after !== null) return true
  const value = (before ?? after)?.[name]
  if (name === 'position' || (name === 'reason' && value === reason)) return false
  if (name === 'until' && before === null) return false
  return name === 'expires_at' || ![null, undefined, '', 0, false].some((unset) => unset === value)
}
