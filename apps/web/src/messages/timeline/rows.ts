import { type Message, ReferenceType } from '@foyer/protocol/messages'
import type { OutgoingMessage } from '#src/store/state.ts'

/** A row of a channel's list, from the oldest message to those being sent. */
export type Row =
  | { kind: 'day'; key: string; date: string }
  | { kind: 'new'; key: string; count: number }
  | MessageRow
  | BlockedRow
  | { kind: 'outgoing'; key: string; message: OutgoingMessage; grouped: boolean }

export interface MessageRow {
  readonly kind: 'message'
  readonly key: string
  readonly message: Message
  readonly grouped: boolean
}

/** Replaces consecutive messages of blocked people. When expanded, the messages follow it. */
export interface BlockedRow {
  readonly kind: 'blocked'
  readonly key: string
  readonly messages: readonly Message[]
  readonly isShown: boolean
}

/** Returns true if the arrow keys stop at the row. */
export function isStop({ kind }: Row): boolean {
  return kind === 'message' || kind === 'blocked'
}

/** Messages of one author within this time are grouped. */
const GROUP_MS = 7 * 60 * 1000

interface RowOptions {
  messages: readonly Message[]
  outgoing: readonly OutgoingMessage[]
  myId: string
  unread: UnreadRange | null
}

/** Position of the "new messages" divider: before the first message of another user after `afterSeq`. */
export interface UnreadRange {
  readonly afterSeq: number
  /** Number of new messages, loaded or not. There may be more. */
  readonly count: number
  /** True if the first new message is older than the loaded messages, and so unknown. */
  readonly isBeyond: boolean
}

/** Key of the "new messages" divider, of which a list has at most one. */
export const NEW_KEY = 'new'

/** Returns the rows of a timeline, with dividers between days and before new messages. */
export function timelineRows({ messages, outgoing, myId, unread }: RowOptions): Row[] {
  const fresh = unread === null ? [] : messages.filter((message) => isNew(message, myId, unread.afterSeq))
  const count = Math.max(fresh.length, unread?.count ?? 0)
  const firstNew = unread?.isBeyond === false ? fresh[0] : undefined
  const sent = messages.flatMap((message, index): Row[] => {
    const before = messages[index - 1]
    const dividers = [...dayDivider(before, message), ...newDivider(message === firstNew, count)]
    const grouped = dividers.length === 0 && before !== undefined && continues(before, message)
    return [...dividers, { kind: 'message', key: message.id, message, grouped }]
  })
  return [...sent, ...outgoingRows(messages.at(-1), outgoing, myId)]
}

function outgoingRows(last: Message | undefined, outgoing: readonly OutgoingMessage[], myId: string): Row[] {
  const lastIsMine = last !== undefined && last.author.id === myId && last.type === 0
  return outgoing.map((message, index) => {
    const before = outgoing[index - 1] ?? (lastIsMine ? last : undefined)
    return {
      kind: 'outgoing',
      key: message.nonce,
      message,
      grouped: before !== undefined && isSoon(before, message) && !message.options.reference,
    }
  })
}

function isNew(message: Message, myId: string, newAfterSeq: number): boolean {
  return message.seq > newAfterSeq && message.author.id !== myId
}

function dayDivider(before: Message | undefined, message: Message): Row[] {
  const day = dayOf(message)
  return before !== undefined && dayOf(before) === day
    ? []
    : [{ kind: 'day', key: `day-${message.id}`, date: message.created_at }]
}

function newDivider(isFirstNew: boolean, count: number): Row[] {
  return isFirstNew ? [{ kind: 'new', key: NEW_KEY, count }] : []
}

/** Returns true if the message joins the group before it. Replies and webhooks with a changed name start a new group. */
function continues(before: Message, message: Message): boolean {
  const sameKind = before.type === 0 && message.type === 0
  const isAnswer = message.reference?.type === ReferenceType.Reply
  const sameName = message.webhook_id === null || before.author.username === message.author.username
  const sameAuthor = before.author.id === message.author.id && sameName
  return sameKind && sameAuthor && !isAnswer && isSoon(before, message)
}

interface Dated {
  readonly created_at: string
}

function isSoon(before: Dated, after: Dated): boolean {
  return Date.parse(after.created_at) - Date.parse(before.created_at) < GROUP_MS
}

/** Day in the user's time zone, not in UTC. */
function dayOf({ created_at }: Dated): string {
  return new Date(created_at).toDateString()
}
