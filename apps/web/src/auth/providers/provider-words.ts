import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'
import { authWords } from '../words.ts'

/** Texts for errors of signing in with a provider. */
export const providerWords: Words = {
  ...authWords,
  no_ticket: t('Signing in took too long, or you started in another browser. Try again.'),
  email_required: t('The provider hasn’t confirmed an email address. Enter one.'),
  identity_taken: t('You already have an account with this provider. Sign in with it again.'),
  provider_linked: t('Another login from this provider is already linked to this account.'),
  last_way_in: t('This is your only way to sign in. Set a password first.'),
  unknown_identity: t('This login is no longer linked to an account. Sign in again.'),
}

const troubles: Words = {
  ...providerWords,
  provider_unreachable: t(
    'The provider isn’t answering. Try again later, or ask the administrators of this server.',
  ),
  provider_invalid: t('The provider sent an invalid response. Ask the administrators of this server.'),
  provider_refused: t('The provider didn’t let you in, or you cancelled.'),
  identity_taken: t('This login is already linked to another account.'),
  other_identity: t('This isn’t the login that is linked to your account. Close this window and try again.'),
  login_not_fresh: t(
    'The provider didn’t confirm that you signed in again. Use a passkey, or ask the administrators of this server.',
  ),
  authentication_required: t('You were signed out in the meantime. Sign in and try again.'),
}

/** Returns the text for an error that the server put into the address. */
export function troubleText(code: string): string {
  return troubles[code] ?? t('Something went wrong. Try again.')
}
