import type { ExportKind } from '@foyer/protocol/exports'
import type { Mail } from '#src/kernel/mail/mail.ts'
import type { MailRecipient } from '#src/people/auth/queries.ts'

const places: Readonly<Record<ExportKind, { what: string; where: string }>> = {
  account: { what: 'the copy of your data', where: 'in the user settings, under “Your data”' },
  space: { what: 'the archive of your space', where: 'in the settings of the space, under “Overview”' },
}

/**
 * Returns the mail about a finished export. It links to the settings instead of the file, because another person may
 * read the mail.
 */
export function readyMail(
  { username, email }: Pick<MailRecipient, 'username' | 'email'>,
  kind: ExportKind,
  { publicUrl, serverName }: { publicUrl: string; serverName: string },
): Mail {
  const { what, where } = places[kind]
  return {
    to: email,
    subject: `${capital(what)} at ${serverName} is ready`,
    paragraphs: [
      `Hi ${username},`,
      `${what} at ${serverName} is ready. Download it within 24 hours ${where}:`,
      { link: publicUrl },
      'If you did not ask for it, sign out all devices in the settings of your account and set a new password.',
    ],
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
