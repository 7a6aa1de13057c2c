import { type Message, ReferenceType } from '@foyer/protocol/messages'
import type { OutgoingMessage } from '#src/store/state.ts'

/** What a room's list shows, from the oldest to what is still on its way. */
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

/** In place of messages next to each other by people whom the reader blocks; those that are shown follow it. */
export interface BlockedRow {
  readonly kind: 'blocked'
  readonly key: string
  readonly messages: readonly Message[]
  readonly isShown: boolean
}

/** Whether the arrow keys stop at it. */
export function isStop({ kind }: Row): boolean {
  return kind === 'message' || kind === 'blocked'
}

/** Messages of one author within this time stand under one name. */
const GROUP_MS = 7 * 60 * 1000

interface RowOptions {
  messages: readonly Message[]
  outgoing: readonly OutgoingMessage[]
  myId: string
  news: NewsRange | null
}

/** The divider stands before the first message of others past `afterSeq`. */
export interface NewsRange {
  readonly afterSeq: number
  /** So many there are at least, be they held or not. */
  readonly count: number
  /** Whether what is held begins after that: then there is no telling which is the first. */
  readonly isBeyond: boolean
}

/** There is one divider at most, wherever it stands. */
export const NEW_KEY = 'new'

/** The rows of a timeline, with dividers between days and before what is new. */
export function timelineRows({ messages, outgoing, myId, news }: RowOptions): Row[] {
  const fresh = news === null ? [] : messages.filter((message) => isNew(message, myId, news.afterSeq))
  const count = Math.max(fresh.length, news?.count ?? 0)
  const firstNew = news?.isBeyond === false ? fresh[0] : undefined
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

/** An answer begins anew, below what it answers; so does a webhook that goes by another name. */
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

/** The day where the reader is, not in UTC. */
function dayOf({ created_at }: Dated): string {
  return new Date(created_at).toDateString()
}
