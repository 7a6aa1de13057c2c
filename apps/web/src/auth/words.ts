import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

/** Texts for errors of signing up and logging in. */
export const authWords: Words = {
  account_locked: t('This account has been locked by the administrators of this server.'),
  answer_required: t('Answer the administrators’ question.'),
  approval_pending: t(
    'Your account is waiting for approval by the administrators of this server. Try again later.',
  ),
  email_domain_refused: t('This server doesn’t accept email addresses at this domain.'),
  invite_required: t('You need an invite to create an account on this server.'),
  invite_unusable: t('This invite doesn’t exist, has expired or was used up.'),
  registration_closed: t('This server isn’t accepting new accounts.'),
  too_many_registrations: t('Too many people are waiting for an account. Try again later.'),
  puzzle_required: t('The check for bots didn’t finish. Try again.'),
  invalid_puzzle: t('The check for bots didn’t finish. Try again.'),
}
