import type { Message } from '@foyer/protocol/messages'

/** The message that is being answered. */
export interface DraftReply {
  readonly id: string
  readonly author_id: string
  /** What they are called, and the beginning of what they said: the message itself may not be held any more. */
  readonly name: string
  readonly words: string
  /** Whether the answer tells its author. */
  readonly mentions: boolean
}

/** What somebody began to write in a channel. */
export interface Draft {
  readonly content: string
  /** What names in the text stand for: `@Mira Lindqvist` for `<@id>`. */
  readonly named: Readonly<Record<string, string>>
  readonly reply: DraftReply | null
}

export const emptyDraft: Draft = { content: '', named: {}, reply: null }

/** Where one writes. */
export interface DraftPlace {
  readonly id: string
  readonly threadId?: string
}

/** What a draft is kept under: a thread of a channel has one of its own. */
export function draftKeyOf({ id, threadId }: DraftPlace): string {
  return threadId === undefined ? id : `${id} ${threadId}`
}

/** What is made of the text of a message that was sent is one, too, until that text is another one. */
export function editKeyOf({ id }: { id: string }, message: Pick<Message, 'id' | 'edited_at'>): string {
  return `${id} edit ${message.id} ${message.edited_at ?? ''}`
}

export function isEditKey(key: string): boolean {
  return key.includes(' edit ')
}

export type DraftChange = { channel_id: string } & Partial<Draft>
