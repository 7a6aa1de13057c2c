import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import { makeFolderDurably, renameDurably, writeDurably } from '../storage/durable-files.ts'
import { maskAddress } from './addresses.ts'
import { alternatives, type Paragraph } from './content.ts'

export interface Mail {
  to: string
  subject: string
  /** Fewer than 998 characters each, the longest line that every mail server accepts. */
  paragraphs: readonly Paragraph[]
}

export interface Mailer {
  /** Resolves when the mail server, or the mailbox folder, has the mail. */
  send(mail: Mail): Promise<void>
}

export interface MailerOptions {
  /** Undefined writes mails to the mailbox folder. */
  smtpUrl: string | undefined
  mailFrom: string
  dataDir: string
  log: Logger
  metrics: Pick<Metrics, 'mails'>
}

type Send = (mail: Mail) => Promise<'sent' | 'refused'>

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, metrics } = options
  const send = smtpUrl === undefined ? mailboxSender(options) : smtpSender(smtpUrl, options)
  const fail = (error: unknown) => {
    metrics.mails.inc({ outcome: 'failed' })
    throw error
  }
  return {
    async send(mail) {
      const outcome = await send(mail).catch(fail)
      metrics.mails.inc({ outcome })
    },
  }
}

const SMTP_TIMEOUT_MS = 20_000
/** Options against injection: no text of a mail may make the composer open a file or an address. */
export const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

function smtpSender(url: string, { mailFrom: from, log }: MailerOptions): Send {
  const transport = createTransport({
    ...CLOSED,
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  })
  const refuse = (error: Error) => {
    if (!isFinal(error)) throw withoutAddress(error)
    log.warn({ err: withoutAddress(error) }, 'the mail server refused a mail permanently')
    return 'refused' as const
  }
  return async (mail) => {
    const raw = await compose(from, mail)
    const sending = transport.sendMail({ envelope: { from, to: mail.to }, raw })
    return sending.then(() => 'sent' as const, refuse)
  }
}

/** Masks mail addresses in an error. Mail servers repeat them in refusals, and the queue logs why a job failed. */
export function withoutAddress(error: Error): Error {
  return new Error(
    error.message.replaceAll(/[^\s<>"']+/g, (word) => (word.includes('@') ? maskAddress(word) : word)),
  )
}

/**
 * Returns whether the mail server refused this mail for good. A wrong password is 5xx, too, but operators can fix it.
 */
export function isFinal(error: Error): boolean {
  const [code, command] = [Number(Reflect.get(error, 'responseCode')), String(Reflect.get(error, 'command'))]
  return code >= 500 && code < 600 && ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command)
}

/** Writes one file per mail. It lets operators use links in mails before they have a mail server. */
function mailboxSender({ mailFrom, dataDir, log }: MailerOptions): Send {
  const folder = join(dataDir, 'mailbox')
  let lastTime = 0
  return async (mail) => {
    // Two mails in one millisecond must not share a name.
    lastTime = Math.max(Date.now(), lastTime + 1)
    const name = `${new Date(lastTime).toISOString().replaceAll(/[:.]/g, '-')}-${hashAddress(mail.to)}.eml`
    await makeFolderDurably(folder, 0o700)
    // Written to a draft and renamed, so that no reader sees a partial mail. The job is deleted afterwards, so the mail
    // must be on the disk first.
    const draft = join(folder, `.${name}.draft`)
    await writeDurably(draft, await compose(mailFrom, mail))
    await renameDurably(draft, join(folder, name))
    log.info(`mail for ${maskAddress(mail.to)} in mailbox/${name}`)
    return 'sent'
  }
}

const composer = createTransport({ ...CLOSED, streamTransport: true, buffer: true })

/** Header that keeps vacation messages and mailing lists from answering. Source: RFC 3834, section 5. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' }

/**
 * Composes a mail. The composer only writes the headers: it would wrap links in the body at 76 columns, and they could not
 * be opened from the file.
 */
export async function compose(from: string, { to, subject, paragraphs }: Mail): Promise<string> {
  const { message } = await composer.sendMail({
    from,
    to: { name: '', address: to },
    subject,
    text: '-',
    headers: AUTOMATIC,
  })
  const [headers = ''] = String(message).split(/\r?\n\r?\n/)
  const ours = headers.split(/\r?\n/).filter((line) => !/^content-/i.test(line))
  const { header, body } = alternatives(subject, paragraphs)
  return `${[...ours, header].join('\n')}\n\n${body}`
}

function hashAddress(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 12)
}
