import type { OperatorAction } from '@foyer/protocol/operators'
import type { MailTest, PushTest, VoiceTest } from '@foyer/protocol/server-checks'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Mail, Mailer } from '#src/kernel/mail/mail.ts'
import { tryMail } from '#src/kernel/mail/trial.ts'
import { examineVoice } from '#src/operating/doctor/voice.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { findMailRecipient } from '#src/people/auth/queries.ts'
import { type TrialDeps, tryPushes } from '#src/push/trial.ts'
import type { VoiceHosts } from '#src/voice/hosts/hosts.ts'

export interface ServerTestDeps extends TrialDeps {
  database: Database
  mailer: Mailer
  voiceHosts: Pick<VoiceHosts, 'anyHost'>
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'voice'>
}

/** An operator who acts by the API, not by the command line. */
export interface Tester {
  readonly access: OperatorAccess
  readonly userId: string
}

/**
 * Sends a mail to the operator's own address, and to no other.
 * @param serverName name of the server in its mails
 */
export async function testMail(
  deps: ServerTestDeps,
  { access, userId }: Tester,
  serverName: string,
): Promise<MailTest> {
  const { smtpUrl, mailFrom } = deps.config
  const recipient = await findMailRecipient(deps.database, userId)
  if (recipient === undefined) throw new ApiError('operator_only')
  await noteTest(deps, access, 'mail_test')
  const mail = mailFor(recipient, serverName)
  if (smtpUrl !== undefined) return { ...(await tryMail(smtpUrl, mailFrom, mail)), to: mail.to }
  await deps.mailer.send(mail)
  return { outcome: 'saved', to: mail.to, says: '' }
}

function mailFor({ username, email }: { username: string; email: string }, serverName: string): Mail {
  return {
    to: email,
    subject: `Test email from ${serverName}`,
    paragraphs: [
      `Hi ${username},`,
      'this is the test email that you requested in the console of your server. Sending mail works.',
    ],
  }
}

/** Pushes to the operator's own devices. */
export async function testPushes(deps: ServerTestDeps, { access, userId }: Tester): Promise<PushTest> {
  await noteTest(deps, access, 'push_test')
  const tried = await tryPushes(deps, userId)
  return {
    devices: tried.map(({ subscription: { device, endpoint }, outcome }) => ({
      user_agent: device,
      host: new URL(endpoint).hostname,
      outcome: outcome.kind,
      status: outcome.kind === 'refused' ? (outcome.status ?? null) : null,
    })),
  }
}

/** Examines voice as the doctor does. The addresses come from the settings alone. */
export async function testVoice(deps: ServerTestDeps, { access, userId }: Tester): Promise<VoiceTest> {
  const { database, voiceHosts, config } = deps
  await noteTest(deps, access, 'voice_test')
  const findings = await examineVoice(config.voice, async (offer) => {
    const host = await voiceHosts.anyHost(database)
    return host.check(userId, offer)
  })
  return { findings: findings.map(({ remedy = null, ...finding }) => ({ ...finding, remedy })) }
}

/** Logs the test before it begins, so that none runs without an entry. */
async function noteTest(
  { database }: ServerTestDeps,
  access: OperatorAccess,
  action: OperatorAction & `${string}_test`,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    await logOperation(transaction, access, { action, type: 'server' })
  })
}
