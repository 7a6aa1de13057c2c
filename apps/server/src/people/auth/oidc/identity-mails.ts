import { Type } from 'typebox'
import type { Transaction } from '#src/kernel/database/database.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import type { Mail } from '#src/kernel/mail/mail.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import type { MailRecipient } from '../queries.ts'

const changes = ['linked', 'unlinked'] as const
type IdentityChange = (typeof changes)[number]

/** Payload of the job that mails a change. */
export const IdentityMail = Type.Object({
  user_id: Type.String(),
  change: Type.Enum([...changes]),
  provider: Type.String(),
})

/** Mails a change of the linked identities, so that an owner notices a change they did not make. */
export async function mailIdentityChange(
  transaction: Transaction,
  userId: string,
  { change, provider }: { change: IdentityChange; provider: Provider },
): Promise<void> {
  await enqueueJob(transaction, 'mail_identity', {
    user_id: userId,
    change,
    provider: provider.settings.name,
  })
}

export function identityMail(
  { username, email }: Pick<MailRecipient, 'username' | 'email'>,
  { change, provider }: { change: IdentityChange; provider: string },
  serverName: string,
): Mail {
  const { subject, body } = texts[change](provider, serverName)
  const warning =
    'If this was not you, set a new password right away and contact the administrator of your server.'
  return { to: email, subject, paragraphs: [`Hi ${username},`, body, warning] }
}

const texts: Record<IdentityChange, (provider: string, name: string) => { subject: string; body: string }> = {
  linked: (provider, name) => ({
    subject: `A sign-in provider was linked at ${name}`,
    body: `from now on, your account at ${name} can be signed in to with ${provider}.`,
  }),
  unlinked: (provider, name) => ({
    subject: `A sign-in provider was unlinked at ${name}`,
    body: `your account at ${name} can no longer be signed in to with ${provider}.`,
  }),
}
