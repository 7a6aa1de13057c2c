import { t } from '#src/language/texts.ts'
import type { OutgoingMessage, State } from '#src/store/state.ts'

const PREFIX = 'foyer.unsent.'
/** As long as the server knows nonces, but for an hour: sent later, a message that arrived after all would be there twice. */
const SENT_ONCE_MS = 23 * 3_600_000

interface Kept {
  readonly user_id: string
  readonly message: OutgoingMessage
}

type Keys = Pick<Storage, 'length' | 'key' | 'getItem'>

/**
 * Keeps what is not sent yet, each message by itself, so that several tabs do not write over each other. Files do not survive the page,
 * and what waits for them neither.
 */
export function writeOutbox(storage: Storage, state: State, before: State): void {
  const [now, then] = [state, before].map(({ outbox }) => Object.values(outbox).flat())
  const left = new Set(now?.map(({ nonce }) => nonce))
  for (const { nonce } of then ?? []) if (!left.has(nonce)) storage.removeItem(PREFIX + nonce)
  for (const message of now ?? []) {
    if (message.upload_ids.length > 0 || then?.includes(message) === true) continue
    keep(storage, { user_id: state.me?.id ?? '', message })
  }
}

/** What somebody did not get sent, in the order in which they wrote it, to be sent now. */
export function readOutbox(storage: Keys, userId: string, now: number): OutgoingMessage[] {
  return keysOf(storage)
    .flatMap((key) => parse(storage.getItem(key)))
    .filter(({ user_id }) => user_id === userId)
    .map(({ message }) => ({ ...message, ...statusAt(message, now) }))
    .sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

export function forgetOutbox(storage: Storage): void {
  for (const key of keysOf(storage)) storage.removeItem(key)
}

/** The nonce of what another tab sent or took back, where the storage tells of that. */
export function settledNonce({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): string | null {
  return newValue === null && key?.startsWith(PREFIX) === true ? key.slice(PREFIX.length) : null
}

/** Whoever comes back after days decides anew. */
function statusAt({ status, error, created_at }: OutgoingMessage, now: number) {
  if (status === 'failed') return { status, error }
  const isFresh = now - Date.parse(created_at) < SENT_ONCE_MS
  if (isFresh) return { status: 'waiting' as const, error: null }
  return { status: 'failed' as const, error: t('This was not sent for a day.') }
}

function keysOf(storage: Pick<Storage, 'length' | 'key'>): string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  return keys.filter((key) => key.startsWith(PREFIX))
}

function keep(storage: Storage, kept: Kept): void {
  try {
    storage.setItem(PREFIX + kept.message.nonce, JSON.stringify(kept))
  } catch {
    // Full, or withheld: then it lives as long as the page.
  }
}

function parse(text: string | null): Kept[] {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isKept(value) ? [value] : []
  } catch {
    return []
  }
}

/** Another version of this client may have written it. */
function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || typeof value.user_id !== 'string' || !isRecord(value.message)) return false
  const { nonce, content, created_at, channel, options, stickers } = value.message
  const isAddress =
    typeof channel === 'string' || (isRecord(channel) && typeof channel.conversation === 'string')
  const isText = [nonce, content, created_at].every((part) => typeof part === 'string')
  return isAddress && isText && isRecord(options) && Array.isArray(stickers)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
