import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

/**
 * Texts for errors of the operators' routes. The server calls them operators, the client administrators of this server.
 */
export const operatorWords: Words = {
  operator_only: t('You’re no longer an administrator of this server.'),
  last_operator: t('The server needs at least one administrator. Make someone else an administrator first.'),
  user_owns_spaces: t(
    'This person owns spaces. Delete those spaces first, or ask the owner to transfer them.',
  ),
  unknown_operator: t('This person is no longer an administrator.'),
  unknown_registration: t('Another administrator has already decided on this application.'),
  unknown_job: t('This job was already retried or deleted.'),
  account_locked: t('This account is locked. Unlock it first.'),
}
