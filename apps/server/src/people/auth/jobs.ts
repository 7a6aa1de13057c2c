import { type Static, type TSchema, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { JobHandler, JobTable } from '#src/kernel/jobs.ts'
import type { AuthJobDeps } from './job-deps.ts'
import { LinkHost, withLinkHost } from './link-host.ts'
import { createMailToken, type MailPurpose } from './mail-tokens.ts'
import {
  approvedMail,
  emailChangedMail,
  linkMail,
  refusedMail,
  secondFactorChanges,
  secondFactorMail,
} from './mails.ts'
import { IdentityMail, identityMail } from './oidc/identity-mails.ts'
import { passkeyChanges, passkeyMail } from './passkeys/mails.ts'
import { findMailRecipient, findMailRecipientByEmail, type MailRecipient } from './queries.ts'
import { wayBackJobs } from './way-back/jobs.ts'

const Linked = Type.Object({ link_host: Type.Optional(LinkHost) })
const ToUser = Type.Object({ user_id: Type.String() })
const ToEmail = Type.Object({ email: Type.String() })
const SecondFactor = Type.Object({
  user_id: Type.String(),
  change: Type.Enum([...secondFactorChanges]),
})
const PasskeyChange = Type.Object({
  user_id: Type.String(),
  change: Type.Enum([...passkeyChanges]),
  name: Type.Optional(Type.String()),
})
const Refused = Type.Object({
  username: Type.String(),
  email: Type.String(),
  message: Type.String(),
})

/** Mail jobs. Payloads name the user. Tokens are created when the mail is sent, so the queue never contains one. */
export function authJobs(deps: AuthJobDeps): JobTable {
  const { database, mailer, serverName } = deps
  const at = (host: LinkHost | undefined) => ({ ...deps, publicUrl: withLinkHost(deps.publicUrl, host) })
  return {
    handlers: {
      mail_verification: job(Type.Intersect([ToUser, Linked]), async ({ user_id, link_host }) =>
        sendLink(at(link_host), 'verify', await findMailRecipient(database, user_id)),
      ),
      mail_password_reset: job(Type.Intersect([ToUser, Linked]), async ({ user_id, link_host }) =>
        sendLink(at(link_host), 'reset-password', await findMailRecipient(database, user_id)),
      ),
      mail_forgotten_password: job(Type.Intersect([ToEmail, Linked]), async ({ email, link_host }) =>
        sendLink(at(link_host), 'reset-password', await findMailRecipientByEmail(database, email)),
      ),
      mail_email_change: job(
        Type.Intersect([ToUser, ToEmail, Linked]),
        async ({ user_id, email, link_host }) => {
          const recipient = await findMailRecipient(database, user_id)
          await sendLink(at(link_host), 'change-email', recipient && { ...recipient, email })
        },
      ),
      mail_email_changed: job(
        Type.Intersect([ToEmail, Type.Object({ username: Type.String() })]),
        async (change) => mailer.send(emailChangedMail(change, serverName)),
      ),
      mail_second_factor: job(SecondFactor, async ({ user_id, change }) => {
        const recipient = await findMailRecipient(database, user_id)
        if (recipient !== undefined) await mailer.send(secondFactorMail(recipient, change, serverName))
      }),
      mail_passkey: job(PasskeyChange, async ({ user_id, ...change }) => {
        const recipient = await findMailRecipient(database, user_id)
        if (recipient !== undefined) await mailer.send(passkeyMail(recipient, change, serverName))
      }),
      mail_identity: job(IdentityMail, async ({ user_id, ...change }) => {
        const recipient = await findMailRecipient(database, user_id)
        if (recipient !== undefined) await mailer.send(identityMail(recipient, change, serverName))
      }),
      mail_registration_approved: job(ToUser, async ({ user_id }) =>
        sendApproval(deps, await findMailRecipient(database, user_id)),
      ),
      mail_registration_refused: job(Refused, async (refused) =>
        mailer.send(refusedMail(refused, serverName)),
      ),
      ...wayBackJobs(deps),
    },
    schedule: [],
  }
}

function job<T extends TSchema>(payload: T, work: (payload: Static<T>) => Promise<void>): JobHandler {
  return (given) => work(Parse(payload, given))
}

async function sendApproval(
  { database, mailer, publicUrl, serverName }: AuthJobDeps,
  recipient: MailRecipient | undefined,
): Promise<void> {
  if (recipient === undefined) return
  const owner = { user_id: recipient.id, email: recipient.email }
  const token = await database.transaction((transaction) => createMailToken(transaction, 'verify', owner))
  await mailer.send(approvedMail(recipient, { serverName, publicUrl, token }))
}

/** Sends no mail if the account no longer exists. */
async function sendLink(
  { database, mailer, publicUrl, serverName }: AuthJobDeps,
  purpose: MailPurpose,
  recipient: MailRecipient | undefined,
): Promise<void> {
  if (recipient === undefined) return
  const owner = { user_id: recipient.id, email: recipient.email }
  const token = await database.transaction((transaction) => createMailToken(transaction, purpose, owner))
  await mailer.send(linkMail(purpose, recipient, { serverName, publicUrl, token }))
}
