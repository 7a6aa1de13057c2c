import { type StoredFile, storedFile, type UploadsState } from '#src/attachments/transfer/upload-state.ts'
import { t } from '#src/language/texts.ts'
import type { OutgoingMessage, State } from '#src/store/state.ts'

const PREFIX = 'foyer.unsent.'
/** Age limit for automatic retries. The server forgets a nonce one hour later, and a retry could then post a message twice. */
const SENT_ONCE_MS = 23 * 3_600_000

/** Messages being sent, and their uploads. */
export type OnItsWay = Pick<State, 'me' | 'outbox'> & Pick<UploadsState, 'uploads'>

/** A stored message. Its `upload_ids` are valid only in the page that stored it. */
export interface Unsent {
  readonly message: OutgoingMessage
  readonly files: readonly StoredFile[]
}

interface Kept extends Unsent {
  readonly user_id: string
}

type Keys = Pick<Storage, 'length' | 'key' | 'getItem'>

/** Replaces the attachment id of a file that is not stored yet, and so is lost with the page. */
const ONLY_HERE = ''

/**
 * Stores unsent messages, each under its own key so that tabs do not overwrite each other. A message is written once at first,
 * and again with each file that was stored.
 */
export function writeOutbox(storage: Storage, now: OnItsWay, before: OnItsWay): void {
  const [messages, then] = [now, before].map(({ outbox }) => Object.values(outbox).flat())
  const left = new Set(messages?.map(({ nonce }) => nonce))
  for (const { nonce } of then ?? []) if (!left.has(nonce)) storage.removeItem(PREFIX + nonce)
  for (const message of messages ?? []) {
    const isKept =
      then?.includes(message) === true && countStored(before, message) >= countStored(now, message)
    if (!isKept) keep(storage, { user_id: now.me?.id ?? '', message, files: filesOf(now, message) })
  }
}

/** True if a file of the message was lost with its page. */
export function isLacking({ files }: Unsent): boolean {
  return files.some(({ attachment_id }) => attachment_id === ONLY_HERE)
}

/** Returns the user's unsent messages in the order they were written. */
export function readOutbox(storage: Keys, userId: string, now: number): Unsent[] {
  return keysOf(storage)
    .flatMap((key) => parse(storage.getItem(key)))
    .filter(({ user_id }) => user_id === userId)
    .map(({ message, files }) => ({ message: { ...message, ...statusAt(message, now) }, files }))
    .sort((a, b) => (a.message.created_at < b.message.created_at ? -1 : 1))
}

export function forgetOutbox(storage: Storage): void {
  for (const key of keysOf(storage)) storage.removeItem(key)
}

/** Returns the nonce of a message that another tab has sent or deleted, from the storage event. */
export function settledNonce({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): string | null {
  return newValue === null && key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : null
}

function filesOf({ uploads }: OnItsWay, { upload_ids }: OutgoingMessage): readonly StoredFile[] {
  return upload_ids.flatMap((id) => {
    const { [id]: upload } = uploads
    if (upload === undefined) return []
    const { filename, content_type, size_bytes, description } = upload
    const file = { filename, content_type, size_bytes, description }
    return storedFile(upload) ?? { ...file, attachment_id: ONLY_HERE }
  })
}

function countStored({ uploads }: OnItsWay, { upload_ids }: OutgoingMessage): number {
  return upload_ids.filter((id) => storedFile(uploads[id]) !== null).length
}

/** Returns the status of a restored message. An old one is not sent again without asking its author. */
function statusAt({ status, error, created_at }: OutgoingMessage, now: number) {
  if (status === 'failed') return { status, error }
  const isFresh = now - Date.parse(created_at) < SENT_ONCE_MS
  if (isFresh) return { status: 'waiting' as const, error: null }
  return { status: 'failed' as const, error: t('This message is about a day old. Retry to send it anyway.') }
}

function keysOf(storage: Pick<Storage, 'length' | 'key'>): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  return keys.filter((key) => key.startsWith(PREFIX))
}

function keep(storage: Storage, kept: Kept): void {
  try {
    storage.setItem(PREFIX + kept.message.nonce, JSON.stringify(kept))
  } catch {
    // Storage is full or blocked. The message then lasts as long as the page.
  }
}

function parse(text: string | null): Kept[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    // Older versions stored messages without `files`.
    const kept = isRecord(value) ? { files: [], ...value } : value
    return isKept(kept) ? [kept] : []
  } catch {
    return []
  }
}

/** Validates a stored message, which another version of this client may have written. */
function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || typeof value.user_id !== 'string' || !isRecord(value.message)) return false
  const { nonce, content, created_at, channel, options, stickers } = value.message
  const isAddress =
    typeof channel === 'string' || (isRecord(channel) && typeof channel.conversation === 'string')
  const isText = [nonce, content, created_at].every((part) => typeof part === 'string')
  const isWhole = Array.isArray(value.files) && value.files.every(isStoredFile)
  return isAddress && isText && isRecord(options) && Array.isArray(stickers) && isWhole
}

function isStoredFile(value: unknown): value is StoredFile {
  if (!isRecord(value) || typeof value.size_bytes !== 'number') return false
  const { attachment_id, filename, content_type, description = null } = value
  const isDescribed = description === null || typeof description === 'string'
  return isDescribed && [attachment_id, filename, content_type].every((part) => typeof part === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
