import { ApiError, NetworkError } from '@foyer/sdk/rest'
import { errorText, t } from '#src/language/texts.ts'
import { formatWait } from '../time/ago.ts'

/** Error messages by field name, and for the whole form under `form`. */
export type FormErrors = Record<string, string>

/** Texts by error code, used instead of the server's message. */
export type Words = Readonly<Record<string, string>>

/** Thrown by a form that becomes incomplete while it is submitted. */
export class InvalidForm extends Error {
  override readonly name = 'InvalidForm'
  readonly errors: FormErrors

  constructor(errors: FormErrors) {
    super('the form is incomplete')
    this.errors = errors
  }
}

/** Assigns the server's message to the one field that the error names, otherwise to the whole form. */
export function formErrors(error: unknown, fields: readonly string[], words?: Words): FormErrors {
  if (error instanceof InvalidForm) return error.errors
  const [field, another] = fields.filter((name) => names(error, name))
  const place = field === undefined || another !== undefined ? 'form' : field
  return { [place]: errorMessage(error, words) }
}

/** Texts for error codes whose server message uses other terms than this client. */
const ownWords: Words = {
  invalid_login: t('Incorrect email, username or password.'),
  space_frozen: t('This space is frozen by the administrators of this server.'),
}

/** Returns a message for the user about any thrown value. */
export function errorMessage(error: unknown, words: Words = {}): string {
  if (error instanceof ApiError) {
    const code = error.code ?? ''
    const message = code === 'automod_refused' ? ruleMessage(error.message) : sentence(error.message)
    return { ...ownWords, ...words }[code] ?? waitText(error) ?? errorText(code, message) ?? message
  }
  if (error instanceof NetworkError) return t('Can’t reach the server. Check your connection and try again.')
  return t('Something went wrong. Try again.')
}

/** The server's message for a rule without its own message. */
const GENERAL_REFUSAL = 'a rule of this space does not allow this'

/** A moderator wrote the message of a rule, so it is shown unchanged. */
function ruleMessage(message: string): string {
  return message === GENERAL_REFUSAL ? t('A rule of this space doesn’t allow this.') : message
}

/** Undefined if the server names no time for the next attempt. */
function waitText({ status, retryAfterMs }: ApiError): string | undefined {
  if (status !== 429 || retryAfterMs === null) return undefined
  return t('You’re going too fast. Try again {time}.', { time: formatWait(retryAfterMs) })
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
