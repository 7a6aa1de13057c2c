import type { Message } from '@foyer/protocol/messages'

/** The message that the draft replies to. */
export interface DraftReply {
  readonly id: string
  readonly author_id: string
  /** Name of the author and start of the text, in case the message is no longer loaded. */
  readonly name: string
  readonly words: string
  /** True if the reply mentions the author. */
  readonly mentions: boolean
}

/** An unsent message of a channel. */
export interface Draft {
  readonly content: string
  /** Mentions by their names in the text: key `@Mira Lindqvist`, value `<@id>`. */
  readonly named: Readonly<Record<string, string>>
  readonly reply: DraftReply | null
}

export const emptyDraft: Draft = { content: '', named: {}, reply: null }

/** The channel or thread of a draft. */
export interface DraftTarget {
  readonly id: string
  readonly threadId?: string
}

/** Returns the key of a draft. Each thread has a separate draft. */
export function draftKeyOf({ id, threadId }: DraftTarget): string {
  return threadId === undefined ? id : `${id} ${threadId}`
}

/** Returns the key of the draft of an edit. If the message is edited elsewhere, its key changes and the draft is not used. */
export function editKeyOf({ id }: { id: string }, message: Pick<Message, 'id' | 'edited_at'>): string {
  return `${id} edit ${message.id} ${message.edited_at ?? ''}`
}

export function isEditKey(key: string): boolean {
  return key.includes(' edit ')
}

export type DraftChange = { channel_id: string } & Partial<Draft>
