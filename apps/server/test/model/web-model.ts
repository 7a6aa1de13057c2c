import type { WebPresence } from '@foyer/protocol/on-web'
import type { Webhook } from '@foyer/protocol/webhooks'
import type { Person } from '#test/scenes/people.ts'

/** State that decides how much of a space people without an account can read. */
export interface WebModel {
  /** True while operators allow public pages. */
  isAllowed: boolean
  isFrozen: boolean
  isDeleted: boolean
  /** True while the role @everyone may view rooms. */
  isViewedByEveryone: boolean
  rooms: WebRoomModel[]
  presence: Map<string, WebPresence>
  said: Said[]
  threads: StartedThread[]
  cast: Actor[]
}

export interface WebRoomModel {
  readonly id: string
  readonly isForum: boolean
  name: string
  /** The overwrite of @everyone for viewing the room. */
  overwrite: 'allow' | 'deny' | 'none'
  onWebSince: number | undefined
  /** True if it was announced that earlier messages become public after a week. */
  isAnnounced: boolean
  /** True after that week: earlier messages are public. */
  isWhole: boolean
  isIndexed: boolean
  webhook: Webhook | undefined
}

/** A person whose names appear in pages. */
export interface Actor {
  readonly person: Person
  alias: string
  nickname: string | undefined
  isMember: boolean
  isBanned: boolean
  isDeleted: boolean
}

/** Author of a webhook's message. Pages always show its name, unlike the name of a person. */
export interface PostedAs {
  readonly name: string
}

export interface Said {
  readonly id: string
  readonly author: Actor | PostedAs
  readonly at: number
  /** A file whose text is the message's first token. */
  readonly file: { readonly id: string; readonly text: string } | undefined
  /** The room or thread. */
  channelId: string
  /** Word that identifies the message in pages; undefined for a forward and for a sticker. */
  token: string | undefined
  mentioned: Actor | undefined
}

export interface StartedThread {
  readonly id: string
  readonly room: WebRoomModel
  readonly creator: Actor
  readonly at: number
  readonly openingId: string
  title: string
  /** The message marked as the answer, until it is deleted or moved away. */
  answer: Said | undefined
}

/** Returns whether @everyone may view the room. */
export function isOpen({ isViewedByEveryone }: WebModel, { overwrite }: WebRoomModel): boolean {
  return overwrite === 'none' ? isViewedByEveryone : overwrite === 'allow'
}

export function isReadable(model: WebModel, room: WebRoomModel): boolean {
  const { isAllowed, isFrozen, isDeleted } = model
  return isAllowed && !isFrozen && !isDeleted && isOpen(model, room) && room.onWebSince !== undefined
}

/** Returns the threads of the room whose titles anyone may read. */
export function dueThreads(model: WebModel, room: WebRoomModel): StartedThread[] {
  if (!isReadable(model, room)) return []
  return model.threads.filter(
    ({ room: { id }, creator, at }) => id === room.id && !isLeftOut(model, creator) && isSince(room, at),
  )
}

/** Returns the messages of the room or a thread that anyone may read, oldest first. */
export function dueMessages(model: WebModel, room: WebRoomModel, thread?: StartedThread): Said[] {
  if (thread !== undefined && !dueThreads(model, room).includes(thread)) return []
  if (!isReadable(model, room)) return []
  const channel = thread?.id ?? room.id
  return model.said.filter(
    ({ channelId, author, at }) => channelId === channel && !isLeftOut(model, author) && isSince(room, at),
  )
}

/** Returns the ids of all rooms, threads, messages and files that anyone may read. */
export function dueIds(model: WebModel): Set<string> {
  const rooms = model.rooms.filter((room) => isReadable(model, room))
  const threads = rooms.flatMap((room) => dueThreads(model, room))
  const messages = [
    ...rooms.flatMap((room) => dueMessages(model, room)),
    ...threads.flatMap((thread) => dueMessages(model, thread.room, thread)),
  ]
  return new Set([
    ...[...rooms, ...threads, ...messages].map(({ id }) => id),
    ...messages.flatMap(({ file }) => file?.id ?? []),
  ])
}

/** Returns whether pages mark the thread as answered. */
export function isAnswered(model: WebModel, { room, answer }: StartedThread): boolean {
  if (answer === undefined || !model.said.includes(answer)) return false
  return !isLeftOut(model, answer.author) && isSince(room, answer.at)
}

/** Returns the names that these messages show: of authors, and of members who are mentioned. */
export function dueNames(model: WebModel, messages: readonly Said[]): Set<string> {
  const members = messages.flatMap(({ mentioned }) => (mentioned?.isMember ? mentioned : []))
  const authors = messages.map(({ author }) => author)
  return new Set([...authors, ...members].flatMap((author) => shownNameOf(model, author) ?? []))
}

function shownNameOf({ presence }: WebModel, author: Actor | PostedAs): string | undefined {
  if ('name' in author) return author.name
  const { person, isDeleted, nickname, alias } = author
  return isDeleted || presence.get(person.id) !== 'name' ? undefined : (nickname ?? alias)
}

function isLeftOut({ presence }: WebModel, author: Actor | PostedAs): boolean {
  return 'person' in author && presence.get(author.person.id) === 'none'
}

function isSince({ onWebSince, isWhole }: WebRoomModel, at: number): boolean {
  return onWebSince !== undefined && (isWhole || at >= onWebSince)
}
