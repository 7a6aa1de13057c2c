import type { Mail } from '#src/kernel/mail.ts'
import type { MailPurpose } from './mail-tokens.ts'
import type { MailRecipient } from './queries.ts'

/** The mails that carry a link. The links' paths are pages of the web client, which sends the token back. */
export function linkMail(
  purpose: MailPurpose,
  { username, email }: Pick<MailRecipient, 'username' | 'email'>,
  { publicUrl, token }: { publicUrl: string; token: string },
): Mail {
  const { subject, request, note } = linkTexts[purpose]
  const link = new URL(`${publicUrl}/${purpose}?token=${token}`).href
  return { to: email, subject, text: `Hi ${username},\n\n${request}\n\n${link}\n\n${note}\n` }
}

const linkTexts: Record<MailPurpose, { subject: string; request: string; note: string }> = {
  verify: {
    subject: 'Verify your email address',
    request: 'welcome to Foyer! Open this link to verify your email address:',
    note: 'It works for 24 hours. If this was not you, please ignore this mail.',
  },
  'reset-password': {
    subject: 'Set a new password',
    request: 'open this link to set a new password for Foyer:',
    note: 'It works once, for one hour. If this was not you, ignore this mail: your\npassword stays as it is.',
  },
  'change-email': {
    subject: 'Confirm your new email address',
    request: 'open this link to use this email address for your Foyer account:',
    note: 'It works once, for one hour. If this was not you, please ignore this mail.',
  },
}

/** To the old address: the only place where a change that the owner did not make is noticed. */
export function emailChangedMail({ username, email }: Pick<MailRecipient, 'username' | 'email'>): Mail {
  return {
    to: email,
    subject: 'Your email address was changed',
    text:
      `Hi ${username},\n\nyour Foyer account has a new email address; mails go there from now on.\n\n` +
      'If this was not you, please tell the operator of your server at once.\n',
  }
}
