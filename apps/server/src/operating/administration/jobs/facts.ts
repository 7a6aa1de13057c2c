import { UUID } from '#src/kernel/ids.ts'

/** Payload fields that operators see. Any other field may be an address, a token or a name, also in future tasks. */
const SHOWN = [
  'user_id',
  'space_id',
  'room_id',
  'channel_id',
  'conversation_id',
  'tenant_id',
  'message_id',
  'application_id',
  'announcement_id',
  'export_id',
  'import_id',
] as const

/** Returns the ids in a payload. */
export function idsIn(payload: unknown): Record<string, string> {
  if (typeof payload !== 'object' || payload === null) return {}
  const shown = SHOWN.flatMap((name) => {
    const value: unknown = Reflect.get(payload, name)
    return typeof value === 'string' && UUID.test(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(shown)
}

/** Characters of an error that are examined. An error may quote a long answer of another server. */
const MAX_READ = 2000
const MAX_ERROR = 300
const ADDRESS_REST = /\b(https?:\/\/)[^\s"'<>]{1,2000}/g
const MAIL_ADDRESS = /[^\s<>"'(),;:@]{1,64}@[\w.-]{1,255}/g
/** Matches possible tokens: all tokens have at least 24 characters, and nearly no other word does. */
const LONG_WORD = /[\w+/=~-]{24,}/g

/** Returns the first line of an error, without parts that may be an address or a secret. */
export function plainError(error: string | null): string {
  const [line = ''] = (error ?? '').slice(0, MAX_READ).trim().split('\n')
  return line
    .replaceAll(ADDRESS_REST, '$1…')
    .replaceAll(MAIL_ADDRESS, '…@…')
    .replaceAll(LONG_WORD, (word) => (UUID.test(word) ? word : '…'))
    .slice(0, MAX_ERROR)
}
