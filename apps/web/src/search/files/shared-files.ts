import type { Message } from '@foyer/protocol/messages'
import { type ShownFile, shownAttachment } from '#src/attachments/shown-file.ts'
import { kindOf } from '#src/attachments/transfer/kinds.ts'
import { blockedIn } from '#src/store/friends.ts'
import type { State } from '#src/store/state.ts'
import { roomOf } from '../hit-groups.ts'
import type { Asked } from '../search-filters.ts'

export const sharedKinds = ['media', 'files', 'links'] as const
/** Pictures and videos, other files, or messages with links. */
export type SharedKind = (typeof sharedKinds)[number]

/** A file that was posted, and its message. */
export interface SharedFile {
  readonly key: string
  readonly file: ShownFile
  readonly message: Message
}

/** Files of one month. */
export interface Month {
  readonly key: string
  /** Time of its newest message. */
  readonly time: string
  readonly files: readonly SharedFile[]
}

const HAS: Readonly<Record<SharedKind, readonly string[]>> = {
  media: ['image', 'video'],
  files: ['file'],
  links: ['link'],
}

/** Matches links by the rule that the server uses to find messages with links. */
const LINK = /\bhttps?:\/\/[^\s<>]/i

/** Returns the search that finds the messages. @param roomId null for all rooms */
export function askedFor(kind: SharedKind, roomId: string | null): Asked {
  const kinds = HAS[kind].map((value) => ({ kind: 'has', value, label: value }) as const)
  const rooms = roomId === null ? [] : [{ kind: 'in', value: roomId, label: '' } as const]
  return { text: '', filters: [...kinds, ...rooms] }
}

/** Returns the files of this kind, in the order of the messages. Deleted files and links are omitted. */
export function filesIn(messages: readonly Message[], kind: SharedKind): SharedFile[] {
  return messages.flatMap((message) =>
    (message.snapshot ?? message).attachments
      .map((attachment) => shownAttachment(attachment, undefined))
      .filter((file) => file.url !== null && sharedKindOf(file) === kind)
      .map((file) => ({ key: `${message.id}-${file.id}`, file, message })),
  )
}

/** Returns true if a message belongs in the list. */
export function isShared(message: Message, kind: SharedKind): boolean {
  if (kind !== 'links') return filesIn([message], kind).length > 0
  return LINK.test(`${message.content}\n${message.snapshot?.content ?? ''}`)
}

/** Returns true if a message is in the room or thread with the id, or in a thread of that room. */
export function isInRoom(message: Message, id: string): boolean {
  return message.room_id === id || roomOf(message) === id
}

type Sight = Pick<State, 'blocks' | 'conversations' | 'rooms'>

/** Leaves out messages of blocked people, and of rooms that the user can no longer view. */
export function inSight({ rooms, ...relations }: Sight, messages: readonly Message[]): Message[] {
  return messages.filter((message) => {
    const roomId = roomOf(message)
    const isVisible = roomId === null || roomId in rooms
    return isVisible && !(message.author.id in blockedIn(relations, roomId ?? message.conversation_id ?? ''))
  })
}

/** Groups consecutive files that were posted in the same month of the local calendar. */
export function monthsOf(shared: readonly SharedFile[]): Month[] {
  const months: (Month & { files: SharedFile[] })[] = []
  for (const one of shared) {
    const time = one.message.created_at
    const key = monthOf(new Date(time))
    const last = months.at(-1)
    if (last?.key === key) last.files.push(one)
    else months.push({ key, time, files: [one] })
  }
  return months
}

function sharedKindOf({ content_type }: ShownFile): SharedKind {
  return ['image', 'video'].includes(kindOf(content_type)) ? 'media' : 'files'
}

function monthOf(time: Date): string {
  return `${time.getFullYear()}-${time.getMonth()}`
}
