import type { Mail } from '#src/kernel/mail/mail.ts'
import type { MailPurpose } from './mail-tokens.ts'
import type { MailRecipient } from './queries.ts'

export interface LinkMailParts {
  /** Name of the server. */
  serverName: string
  publicUrl: string
  token: string
}

type Recipient = Pick<MailRecipient, 'username' | 'email'>

/** Returns a mail with a link to a page of the web client, which sends the token back. */
export function linkMail(
  purpose: MailPurpose,
  { username, email }: Recipient,
  { serverName, publicUrl, token }: LinkMailParts,
): Mail {
  const { subject, request, note } = linkTexts[purpose](serverName)
  const link = new URL(`${publicUrl}/${purpose}?token=${token}`).href
  return { to: email, subject, paragraphs: [`Hi ${username},`, request, { link }, note] }
}

interface LinkTexts {
  subject: string
  request: string
  note: string
}

const linkTexts: Record<MailPurpose, (serverName: string) => LinkTexts> = {
  verify: (name) => ({
    subject: `Verify your email address for ${name}`,
    request: `welcome to ${name}! Open this link to verify your email address:`,
    note: 'It works for 24 hours. If this was not you, please ignore this mail.',
  }),
  'reset-password': (name) => ({
    subject: `Set a new password for ${name}`,
    request: `open this link to set a new password for ${name}:`,
    note: 'It works once, for one hour. If this was not you, ignore this mail: your password stays as it is.',
  }),
  'change-email': (name) => ({
    subject: `Confirm your new email address for ${name}`,
    request: `open this link to use this email address for your account at ${name}:`,
    note: 'It works once, for one hour. If this was not you, please ignore this mail.',
  }),
}

/** Returns the mail to a person whose account was approved. Its link also verifies their address. */
export function approvedMail(
  { username, email }: Recipient,
  { serverName, publicUrl, token }: LinkMailParts,
): Mail {
  const link = new URL(`${publicUrl}/verify?token=${token}`).href
  const body = `your account at ${serverName} was approved. Open this link to verify your email address, then log in:`
  const note = 'The link works for 24 hours. You can log in without it, too.'
  return {
    to: email,
    subject: `Your account at ${serverName} was approved`,
    paragraphs: [`Hi ${username},`, body, { link }, note],
  }
}

/** Returns the mail to a person whose application was refused. */
export function refusedMail(
  { username, email, message }: Recipient & { message: string },
  serverName: string,
): Mail {
  const body = `your application for an account at ${serverName} was not accepted. What you entered was deleted.`
  return {
    to: email,
    subject: `Your application at ${serverName}`,
    paragraphs: [`Hi ${username},`, body, message],
  }
}

export const secondFactorChanges = ['on', 'off', 'codes_renewed', 'code_used'] as const
export type SecondFactorChange = (typeof secondFactorChanges)[number]

/** Returns the mail about a change of the second factor, so that an owner notices a change they did not make. */
export function secondFactorMail(
  { username, email }: Recipient,
  change: SecondFactorChange,
  serverName: string,
): Mail {
  const warning =
    'If this was not you, set a new password right away and contact the administrator of your server.'
  const { subject, body } = secondFactorTexts[change](serverName)
  return { to: email, subject, paragraphs: [`Hi ${username},`, body, warning] }
}

export interface ChangeText {
  subject: string
  body: string
}

export const secondFactorTexts: Record<SecondFactorChange, (serverName: string) => ChangeText> = {
  on: (name) => ({
    subject: `Two-step login was turned on at ${name}`,
    body: `from now on, logging in to ${name} also needs a code of your authenticator app.`,
  }),
  off: (name) => ({
    subject: `Two-step login was turned off at ${name}`,
    body: `from now on, logging in to ${name} needs only your password.`,
  }),
  codes_renewed: (name) => ({
    subject: `New recovery codes for ${name}`,
    body: `you have new recovery codes for ${name}. The old ones no longer work.`,
  }),
  code_used: (name) => ({
    subject: `A recovery code was used at ${name}`,
    body: `one of your recovery codes for ${name} was used. It does not work again.`,
  }),
}

export function emailChangedText(serverName: string): ChangeText {
  return {
    subject: `Your email address was changed at ${serverName}`,
    body: `your account at ${serverName} has a new email address. Mails go there from now on.`,
  }
}

/** Returns the mail to an address that was replaced because a change was undone. */
export function emailChangedMail({ username, email }: Recipient, serverName: string): Mail {
  const { subject, body } = emailChangedText(serverName)
  const warning = 'If this was not you, please contact the administrator of your server right away.'
  return { to: email, subject, paragraphs: [`Hi ${username},`, body, warning] }
}
