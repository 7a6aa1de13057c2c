import type { Mail } from '#src/kernel/mail/mail.ts'
import type { MailRecipient } from '../queries.ts'

export const passkeyChanges = ['removed', 'all_removed', 'copied'] as const
type PasskeyChange = (typeof passkeyChanges)[number]

interface Texts {
  subject: string
  body: string
  warning: string
}

/** Returns the mail about a change of the passkeys, so that an owner notices a change they did not make. */
export function passkeyMail(
  { username, email }: Pick<MailRecipient, 'username' | 'email'>,
  { change, name = '' }: { change: PasskeyChange; name?: string | undefined },
  serverName: string,
): Mail {
  const { subject, body, warning } = texts[change](serverName, name)
  return { to: email, subject, paragraphs: [`Hi ${username},`, body, warning] }
}

const NOT_YOU =
  'If this was not you, set a new password right away and contact the administrator of your server.'

const texts: Record<PasskeyChange, (serverName: string, name: string) => Texts> = {
  removed: (serverName, name) => ({
    subject: `A passkey was removed at ${serverName}`,
    body: `the passkey “${name}” was removed from your account. It can no longer log in to ${serverName}.`,
    warning: NOT_YOU,
  }),
  all_removed: (serverName) => ({
    subject: `Your passkeys were removed at ${serverName}`,
    body: `an administrator of ${serverName} removed all passkeys of your account. Log in with your password.`,
    warning: 'If you did not ask for this, contact the administrator of your server.',
  }),
  copied: (serverName) => ({
    subject: `A passkey was refused at ${serverName}`,
    body: `somebody tried to log in to ${serverName} with a passkey of yours that may have been copied. The server refused it.`,
    warning: 'Remove this passkey under User settings → Account, and add a new one.',
  }),
}
