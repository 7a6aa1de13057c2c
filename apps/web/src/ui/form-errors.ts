import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { errorText, t } from '#src/language/texts.ts'
import { formatWait } from './ago.ts'

/** What to tell about a form: under its fields by their names, and about all of it under `form`. */
export type FormErrors = Record<string, string>

/** What to say, by an error's code, instead of the server's message. */
export type Words = Readonly<Record<string, string>>

/** Puts the server's message under the field that it or its code names; if it names several, under the form. */
export function formErrors(error: unknown, fields: readonly string[], words?: Words): FormErrors {
  const [field, another] = fields.filter((name) => names(error, name))
  const place = field === undefined || another !== undefined ? 'form' : field
  return { [place]: errorMessage(error, words) }
}

/** Where the server speaks of what it was sent, and this client calls that by another name. */
const ownWords: Words = {
  invalid_login: t('Email, username or password is wrong.'),
}

/** A sentence for people about whatever was thrown. */
export function errorMessage(error: unknown, words: Words = {}): string {
  if (error instanceof ApiError) {
    const code = error.code ?? ''
    const message = sentence(error.message)
    return { ...ownWords, ...words }[code] ?? waitText(error) ?? errorText(code, message) ?? message
  }
  if (error instanceof NetworkError)
    return t('The server cannot be reached. Check your connection and try again.')
  return t('Something went wrong. Try again.')
}

/** Undefined where the server does not say for how long it was too often. */
function waitText({ status, retryAfterMs }: ApiError): string | undefined {
  if (status !== 429 || retryAfterMs === null) return undefined
  return t('That was too often. Try again {time}.', { time: formatWait(retryAfterMs) })
}

function names(error: unknown, field: string): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.code?.split('_').includes(field)) return true
  return new RegExp(`\\b${field}\\b`, 'i').test(error.message)
}

function sentence(message: string): string {
  const text = message.replace(/^(body|querystring|params)[/ ]/, '')
  const start = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}
