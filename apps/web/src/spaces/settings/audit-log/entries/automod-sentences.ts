import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { t } from '#src/language/texts.ts'
import { changedOnly } from './changed-fields.ts'
import type { Sentences } from './sentence-table.ts'

/** Sentences about AutoMod: its rules and hits, and the messages that moderators reviewed. */
export const automodSentences = {
  automod_rule_create: () => t('{actor} added the AutoMod rule {target}'),
  automod_rule_update: (entry) => {
    if (changedOnly(entry, 'name')) return t('{actor} renamed the AutoMod rule {from} to {to}')
    if (!changedOnly(entry, 'mode')) return t('{actor} changed the AutoMod rule {target}')
    return switched(entry)
  },
  automod_rule_delete: () => t('{actor} deleted the AutoMod rule {target}'),
  automod_refuse: ({ target_type }) =>
    target_type === 'webhook'
      ? t('{actor} refused a webhook message in {room} because of the rule {rule}')
      : t('{actor} refused content from {target} because of the rule {rule}'),
  automod_hold: () => t('{actor} held a message by {target} in {room} for review because of the rule {rule}'),
  held_message_approve: () => t('{actor} posted a message by {target} in {room}, held by the rule {rule}'),
  held_message_reject: () => t('{actor} discarded a message by {target} in {room}, held by the rule {rule}'),
} satisfies Partial<Sentences>

function switched({ after }: AuditLogEntry): string {
  if (after?.mode === 'on') return t('{actor} turned on the AutoMod rule {target}')
  if (after?.mode === 'test') return t('{actor} set the AutoMod rule {target} to testing')
  return t('{actor} turned off the AutoMod rule {target}')
}
