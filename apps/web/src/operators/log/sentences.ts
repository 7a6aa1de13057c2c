import type { OperatorAction } from '@foyer/protocol/operators'
import { t } from '#src/language/texts.ts'
import type { Sentence } from '#src/spaces/settings/audit-log/entries/sentences.ts'
import { changedFields } from './changes.ts'
import type { NamedEntry } from './log-entries.ts'

type Say = (named: NamedEntry) => string

const sentences: Record<OperatorAction, Say> = {
  operator_claim: () => t('{actor} became the administrator of this server, with the link it printed'),
  operator_grant: () => t('{actor} made {target} an administrator'),
  operator_revoke: ({ entry }) =>
    entry.actor_id === entry.target_id
      ? t('{actor} stepped down as administrator')
      : t('{actor} removed {target} as administrator'),
  user_lock: () => t('{actor} locked the account of {target}'),
  user_unlock: () => t('{actor} unlocked the account of {target}'),
  // The account's name is removed with the account.
  user_delete: ({ entry }) =>
    entry.target_name === null
      ? t('{actor} deleted an account')
      : t('{actor} deleted the account of {target}'),
  user_second_factor_remove: () => t('{actor} removed the second factor and passkeys of {target}'),
  space_freeze: () => t('{actor} froze the space {target}'),
  space_unfreeze: () => t('{actor} unfroze the space {target}'),
  space_delete: () => t('{actor} deleted the space {target}'),
  space_restore: () => t('{actor} brought back the space {target}'),
  space_hold: () => t('{actor} placed a legal hold on the space {target}'),
  space_release: () => t('{actor} released the legal hold on the space {target}'),
  registration_update: rulesSentence,
  login_rules_update: loginRulesSentence,
  public_pages_update: publicPagesSentence,
  registration_approve: () => t('{actor} approved the application of {target}'),
  registration_refuse: () => t('{actor} declined an application'),
  invite_create: ({ entry }) =>
    entry.target_name === null
      ? t('{actor} created an invite to this server')
      : t('{actor} created an invite to this server for {target}'),
  invite_delete: ({ entry }) =>
    entry.target_name === null
      ? t('{actor} revoked an invite to this server')
      : t('{actor} revoked the invite to this server for {target}'),
  report_close: ({ entry }) =>
    entry.details.result === 'acted'
      ? t('{actor} decided on a report: action was taken')
      : t('{actor} decided on a report: no rules were broken'),
  announcement_create: () => t('{actor} wrote an announcement'),
  announcement_update: () => t('{actor} changed an announcement'),
  announcement_end: () => t('{actor} ended an announcement'),
  mail_test: () => t('{actor} sent a test email to their own address'),
  push_test: () => t('{actor} sent a test notification to their own devices'),
  voice_test: () => t('{actor} tested voice'),
  job_retry: () => t('{actor} retried failed jobs'),
  job_delete: () => t('{actor} deleted a failed job'),
  storage_survey: () => t('{actor} checked the storage'),
  backup_create: () => t('{actor} requested a backup'),
}

/** Names of the actions, for the filter. */
export const actionLabels: readonly (readonly [OperatorAction, string])[] = [
  ['user_lock', t('Account locked')],
  ['user_unlock', t('Account unlocked')],
  ['user_delete', t('Account deleted')],
  ['user_second_factor_remove', t('Second factor and passkeys removed')],
  ['space_freeze', t('Space frozen')],
  ['space_unfreeze', t('Space unfrozen')],
  ['space_delete', t('Space deleted')],
  ['space_restore', t('Space brought back')],
  ['space_hold', t('Legal hold placed')],
  ['space_release', t('Legal hold released')],
  ['registration_update', t('Sign-up rules changed')],
  ['login_rules_update', t('Sign-in rules changed')],
  ['registration_approve', t('Application approved')],
  ['registration_refuse', t('Application declined')],
  ['invite_create', t('Server invite created')],
  ['invite_delete', t('Server invite revoked')],
  ['report_close', t('Report decided')],
  ['announcement_create', t('Announcement written')],
  ['announcement_update', t('Announcement changed')],
  ['announcement_end', t('Announcement ended')],
  ['mail_test', t('Email tested')],
  ['push_test', t('Notifications tested')],
  ['voice_test', t('Voice tested')],
  ['job_retry', t('Failed jobs retried')],
  ['job_delete', t('Failed job deleted')],
  ['storage_survey', t('Storage checked')],
  ['backup_create', t('Backup requested')],
  ['operator_grant', t('Administrator added')],
  ['operator_revoke', t('Administrator removed')],
  ['operator_claim', t('First administrator')],
]

export function sentenceOf(named: NamedEntry): Sentence {
  return {
    text: sentences[named.entry.action](named),
    values: { actor: actorName(named), target: targetName(named) },
  }
}

export function actorName({ entry, actor }: NamedEntry): string {
  // The first account of a server is made an operator by the server itself.
  const { provider } = entry.details
  if (entry.actor_id === null && typeof provider === 'string') return provider
  if (entry.actor_id === null) return entry.details.first === true ? t('The server') : t('The command line')
  return actor === undefined || actor.deleted_at !== null ? t('Deleted account') : actor.username
}

/** Returns the target's name at the time of the entry, because names change, and a deleted account has none. */
function targetName({ entry, target }: NamedEntry): string {
  const { target_type, target_name } = entry
  if (target_name !== null) return target_name
  if (target !== undefined && target.deleted_at === null) return target.username
  return target_type === 'user' ? t('a deleted account') : ''
}

function loginRulesSentence({ entry }: NamedEntry): string {
  const { after } = entry.details
  const rule = typeof after === 'object' && after !== null && 'second_factor_for' in after
  if (rule && after.second_factor_for === 'everybody')
    return t('{actor} made two-step login mandatory for everyone')
  if (rule && after.second_factor_for === 'operators')
    return t('{actor} made two-step login mandatory for administrators')
  return t('{actor} made two-step login optional for everyone')
}

function publicPagesSentence({ entry }: NamedEntry): string {
  const { after } = entry.details
  const isAllowed =
    typeof after === 'object' && after !== null && 'public_pages' in after && after.public_pages
  return isAllowed === true
    ? t('{actor} allowed rooms to be read on the web')
    : t('{actor} no longer allows rooms to be read on the web')
}

function rulesSentence({ entry }: NamedEntry): string {
  const changed = changedFields(entry)
  if (changed.length === 1 && changed[0] === 'mode') return t('{actor} changed who can sign up')
  if (changed.length === 1 && changed[0] === 'question')
    return t('{actor} changed the question for applicants')
  if (changed.length === 1 && changed[0] === 'domains') return t('{actor} changed the accepted email domains')
  if (changed.length === 1 && changed[0] === 'puzzle') return t('{actor} changed the check for bots')
  return t('{actor} changed the rules for sign-ups')
}
