import type { webPresences } from '@foyer/protocol/on-web'
import type { Person } from '#test/scenes/people.ts'

/** Everything that decides about what can be read without an account, as the rules say it. */
export interface WebModel {
  isAllowed: boolean
  isFrozen: boolean
  rooms: WebRoomModel[]
  presence: Map<string, (typeof webPresences)[number]>
  said: Said[]
  threads: StartedThread[]
  cast: Actor[]
}

export interface WebRoomModel {
  readonly id: string
  readonly name: string
  readonly isForum: boolean
  isOpen: boolean
  onWebSince: number | undefined
}

/** A person with a name that is found in pages. */
export interface Actor {
  readonly person: Person
  readonly name: string
  isMember: boolean
  isDeleted: boolean
}

export interface Said {
  readonly id: string
  /** The room or thread. */
  readonly channelId: string
  readonly author: Actor
  readonly at: number
  token: string
  mentioned: Actor
}

export interface StartedThread {
  readonly id: string
  readonly room: WebRoomModel
  readonly creator: Actor
  readonly at: number
  title: string
  /** The message that the person who asked and the author of the answer chose. */
  answer: Said | undefined
}

export function isReadable(model: WebModel, room: WebRoomModel): boolean {
  return model.isAllowed && !model.isFrozen && room.isOpen && room.onWebSince !== undefined
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

/** Returns whether the thread is called answered. */
export function isAnswered(model: WebModel, { answer }: StartedThread): boolean {
  return answer !== undefined && model.said.includes(answer) && !isLeftOut(model, answer.author)
}

/** Returns the names that these messages show: of authors, and of members who are mentioned. */
export function dueNames(model: WebModel, messages: readonly Said[]): Set<string> {
  const isNamed = ({ person, isDeleted }: Actor) => !isDeleted && model.presence.get(person.id) === 'name'
  const authors = messages.map(({ author }) => author).filter(isNamed)
  const mentioned = messages
    .map(({ mentioned: actor }) => actor)
    .filter((actor) => actor.isMember && isNamed(actor))
  return new Set([...authors, ...mentioned].map(({ name }) => name))
}

function isLeftOut(model: WebModel, { person }: Actor): boolean {
  return model.presence.get(person.id) === 'none'
}

function isSince({ onWebSince }: WebRoomModel, at: number): boolean {
  return onWebSince !== undefined && at >= onWebSince
}
