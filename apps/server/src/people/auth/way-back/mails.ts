import { deviceOf } from '@foyer/protocol/devices'
import type { AccountChange } from '@foyer/protocol/way-back'
import type { Mail } from '#src/kernel/mail/mail.ts'
import { type ChangeText, emailChangedText, secondFactorTexts } from '../mails.ts'
import type { MailRecipient } from '../queries.ts'
import type { MailedChange } from './queries.ts'

export interface WayBackMailParts {
  serverName: string
  publicUrl: string
}

/** Returns the mail about a change, with the link to undo it. */
export function wayBackMail(change: MailedChange, { serverName, publicUrl }: WayBackMailParts): Mail {
  const { subject, body } = changeTexts[change.change](serverName)
  const undoing = change.change === 'signed_in' ? 'log out all devices' : 'undo it'
  const link = new URL(`${publicUrl}/way-back?token=${change.token}`).href
  return {
    to: change.email,
    subject,
    paragraphs: [
      `Hi ${change.username},`,
      body,
      `This was done ${originOf(change)}.`,
      `If this was you, there is nothing to do. If this was not you, open this link to ${undoing} and to set a new password:`,
      { link },
      'It works once, for seven days. Nothing changes before you confirm it on the page.',
    ],
  }
}

/** Returns the confirmation that changes were undone. */
export function takenBackMail({ username, email }: MailRecipient, serverName: string): Mail {
  return {
    to: email,
    subject: `Changes were undone at ${serverName}`,
    paragraphs: [
      `Hi ${username},`,
      `with the link in an earlier mail, changes of your account at ${serverName} were undone and a new password was set. All devices are logged out.`,
      'If this was not you, someone else can read your mail: change the password of your mailbox, then set a new one here.',
    ],
  }
}

const changeTexts: Record<AccountChange, (serverName: string) => ChangeText> = {
  password_changed: (name) => ({
    subject: `Your password was changed at ${name}`,
    body: `your account at ${name} has a new password. All other devices were logged out.`,
  }),
  password_reset: (name) => ({
    subject: `Your password was changed at ${name}`,
    body: `a new password was set for your account at ${name} by a link that was mailed to you.`,
  }),
  email_changed: emailChangedText,
  second_factor_on: secondFactorTexts.on,
  second_factor_replaced: (name) => ({
    subject: `Your authenticator app was replaced at ${name}`,
    body: `from now on, logging in to ${name} needs a code of another authenticator app. You have new recovery codes, too.`,
  }),
  second_factor_off: secondFactorTexts.off,
  recovery_codes_renewed: secondFactorTexts.codes_renewed,
  passkey_added: (name) => ({
    subject: `A passkey was added at ${name}`,
    body: `a passkey was added to your account. It can log in to ${name} without your password.`,
  }),
  signed_in: (name) => ({
    subject: `New sign-in at ${name}`,
    body: `a device that was new to your account at ${name} has logged in.`,
  }),
}

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** @returns text like "on 3 May 2026 at 10:21 UTC with Firefox on Windows, from the address 192.0.2.7" */
function originOf({ created_at, device, address }: MailedChange): string {
  const { program, system } = deviceOf(device)
  const known = [program, system].filter((part) => part !== undefined).join(' on ')
  // The browser chooses its User-Agent, which might look like a link in a mail.
  const name = known || /^[\w -]{1,40}/.exec(device.trim())?.[0] || 'an unknown device'
  return `on ${time.format(new Date(created_at))} UTC with ${name}, from the address ${address}`
}
