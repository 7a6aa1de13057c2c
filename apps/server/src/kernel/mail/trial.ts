import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { CLOSED, compose, isFinal, type Mail, withoutAddress } from './mail.ts'

/** The result of a mail that was sent directly: the answer of the mail server, or the error before it. */
export interface MailTrial {
  outcome: 'accepted' | 'refused' | 'failed'
  says: string
}

/** Longest wait for the mail server: a person waits for the result. */
const TIMEOUT_MS = 20_000

/** Sends a mail through the mail server, and returns its answer. */
export async function tryMail(
  smtpUrl: string,
  from: string,
  mail: Mail,
  timeoutMs = TIMEOUT_MS,
): Promise<MailTrial> {
  // Connecting and the greeting have a shorter limit each, so that the result names the step that failed.
  const stepMs = timeoutMs / 2
  const times = { connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: timeoutMs }
  const transport = createTransport({ ...CLOSED, url: smtpUrl, ...times })
  const ended = new AbortController()
  try {
    const raw = await compose(from, mail)
    const sending = transport.sendMail({ envelope: { from, to: mail.to }, raw })
    const late = delay(timeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error(`the mail server did not finish within ${timeoutMs / 1000} seconds`)
    })
    const { response } = await Promise.race([sending, late])
    return { outcome: 'accepted', says: withoutSecret(String(response), smtpUrl) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const says = withoutSecret(withoutAddress(error).message, smtpUrl)
    return { outcome: isFinal(error) ? 'refused' : 'failed', says }
  } finally {
    ended.abort()
    transport.close()
  }
}

/** Removes the password from an answer: a mail server may repeat anything that it was sent. */
function withoutSecret(text: string, smtpUrl: string): string {
  const password = URL.parse(smtpUrl)?.password ?? ''
  const forms = [password, decoded(password)].filter((form) => form !== '')
  return forms.reduce((rest, form) => rest.replaceAll(form, '…'), text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
