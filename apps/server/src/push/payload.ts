import { ConversationType } from '@foyer/protocol/conversations'
import type { Message } from '@foyer/protocol/messages'
import type { PushKind, PushPayload } from '@foyer/protocol/notifications'
import type { User } from '@foyer/protocol/users'
import { channelOf, isConversation, type Place, roomOf } from '#src/channels/place.ts'
import { findConversation } from '#src/conversations/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { findMembers } from '#src/spaces/queries.ts'
import type { Snapshots, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { findThread } from '#src/thread-rooms/queries.ts'
import { cleaned, listNamedRooms, type Names, notificationText, shortened } from './plain-text.ts'
import { payloadOfRaid } from './raids.ts'
import type { Recipient } from './recipients.ts'
import type { Subject } from './subjects.ts'

export interface PayloadDeps extends MessageReader {
  snapshots: Snapshots
}

/** Maximum payload before encryption. Push services accept 4096 encrypted bytes. */
const MAX_BYTES = 3000
const MAX_TEXT = 300
const MAX_TITLE = 120
const MAX_NAME = 64

/** Returns the payload for a recipient. */
export type Wording = (recipient: Recipient) => Buffer

/** Reads everything that the payloads of all recipients share; undefined if the subject was deleted. */
export async function wordingOf(deps: PayloadDeps, subject: Subject): Promise<Wording | undefined> {
  if (subject.type === 'raid') {
    const snapshot = await deps.snapshots.find(subject.place.tenantId)
    return snapshot && (() => encode(payloadOfRaid(snapshot.space, named(snapshot.space.name))))
  }
  const location = await findLocation(deps, subject.place)
  if (location === undefined) return undefined
  if (subject.type === 'call') {
    const [caller] = await findUsers(deps.database, [subject.authorId])
    return caller && (() => encode(ofCall(caller, location)))
  }
  const [message] = await completeMessages(deps, subject.place, [subject.row])
  if (message === undefined) return undefined
  const displayNames = await findDisplayNames(deps, subject.place, message)
  return onceForEachView(message, (recipient) =>
    encode(ofMessage(message, { location, displayNames, recipient })),
  )
}

/** Composes a message once for all recipients who see the same text. */
function onceForEachView(message: Message, compose: Wording): Wording {
  const rooms = listNamedRooms(contentOf(message))
  const composed = new Map<string, Buffer>()
  return (recipient) => {
    const view = [recipient.isMentioned, ...rooms.map((id) => recipient.mayView(id))].join()
    const text = composed.get(view) ?? compose(recipient)
    composed.set(view, text)
    return text
  }
}

/** The channel of a message, with its names. */
interface MessageLocation {
  place: Place
  snapshot: SpaceSnapshot | undefined
  names: Pick<PushPayload, 'thread_title' | 'room_name' | 'space_name' | 'conversation_name'>
  kind: PushKind
}

async function findLocation(deps: PayloadDeps, place: Place): Promise<MessageLocation | undefined> {
  if (isConversation(place)) {
    const conversation = await findConversation(deps.database, place.channelId)
    if (conversation === undefined) return undefined
    const kind = conversation.type === ConversationType.Direct ? 'direct' : 'group'
    const names = conversation.name === null ? {} : { conversation_name: named(conversation.name) }
    return { place, snapshot: undefined, names, kind }
  }
  const snapshot = await deps.snapshots.find(place.tenantId)
  const room = snapshot?.rooms.get(roomOf(place))
  if (snapshot === undefined || room === undefined) return undefined
  const names = {
    ...(await threadNames(deps, place)),
    room_name: named(room.name),
    space_name: named(snapshot.space.name),
  }
  return { place, snapshot, names, kind: 'room' }
}

async function threadNames(
  { database }: PayloadDeps,
  { tenantId, channelId, parentId }: Place,
): Promise<Pick<PushPayload, 'thread_title'>> {
  if (parentId === undefined) return {}
  const thread = await findThread(database, { space_id: tenantId, id: channelId })
  return thread === undefined ? {} : { thread_title: named(thread.title) }
}

/** Returns the displayed names of mentioned users. */
async function findDisplayNames(
  { database }: PayloadDeps,
  place: Place,
  { mentions }: Message,
): Promise<ReadonlyMap<string, string>> {
  const ids = mentions.map(({ id }) => id)
  const isInSpace = ids.length > 0 && !isConversation(place)
  const members = isInSpace ? await findMembers(database, place.tenantId, ids) : []
  const nicknames = new Map(members.map(({ user_id, nickname }) => [user_id, nickname]))
  return new Map(mentions.map((user) => [user.id, nicknames.get(user.id) ?? nameOfUser(user)]))
}

interface PayloadContext {
  location: MessageLocation
  displayNames: ReadonlyMap<string, string>
  recipient: Recipient
}

function ofMessage(message: Message, { location, displayNames, recipient }: PayloadContext): PushPayload {
  const { author, member, snapshot } = message
  const names: Names = {
    user: (id) => displayNames.get(id),
    role: (id) => location.snapshot?.roles.get(id)?.name,
    room: (id) => (recipient.mayView(id) ? location.snapshot?.rooms.get(id)?.name : undefined),
  }
  const text = shortened(notificationText(contentOf(message), names), MAX_TEXT)
  const attachment_count = message.attachments.length + (snapshot?.attachments.length ?? 0)
  const authorName = named(member?.nickname ?? nameOfUser(author))
  return {
    type: 'message',
    message_id: message.id,
    ...locationFields(location.place),
    title: titleOf(authorName, location.names),
    body: text === '' ? wordless(attachment_count) : text,
    url: `${pathOf(location.place)}/${message.id}`,
    tag: location.place.channelId,
    kind: location.kind === 'room' && recipient.isMentioned ? 'mention' : location.kind,
    author_id: author.id,
    author_name: authorName,
    author_avatar: author.avatar,
    ...location.names,
    text,
    attachment_count,
  }
}

/** A forward may have no text of its own. */
function contentOf({ content, snapshot }: Message): string {
  return content || (snapshot?.content ?? '')
}

function ofCall(caller: User, { place, names }: MessageLocation): PushPayload {
  const authorName = named(nameOfUser(caller))
  return {
    type: 'call',
    ...locationFields(place),
    title: titleOf(authorName, names),
    body: 'is calling you',
    url: pathOf(place),
    tag: `call-${place.channelId}`,
    kind: 'call',
    author_id: caller.id,
    author_name: authorName,
    author_avatar: caller.avatar,
    ...names,
    text: '',
    attachment_count: 0,
  }
}

function titleOf(
  author: string,
  { thread_title, room_name, space_name, conversation_name }: MessageLocation['names'],
): string {
  const room = room_name === undefined ? conversation_name : `#${room_name}, ${space_name ?? ''}`
  const where = thread_title === undefined ? room : `${thread_title}, ${room ?? ''}`
  return shortened(where === undefined ? author : `${author} (${where})`, MAX_TITLE)
}

function wordless(attachmentCount: number): string {
  if (attachmentCount === 0) return 'Sent a message'
  return attachmentCount === 1 ? 'Sent a file' : `Sent ${attachmentCount} files`
}

function locationFields(
  place: Place,
): Pick<PushPayload, 'room_id' | 'space_id' | 'conversation_id' | 'parent_room_id'> {
  const { room_id, space_id, conversation_id, parent_room_id } = channelOf(place)
  return {
    ...(parent_room_id === undefined ? {} : { parent_room_id }),
    ...(room_id === null ? {} : { room_id }),
    ...(space_id === null ? {} : { space_id }),
    ...(conversation_id === null ? {} : { conversation_id }),
  }
}

function pathOf(place: Place): string {
  if (isConversation(place)) return `/conversations/${place.channelId}`
  return `/spaces/${place.tenantId}/rooms/${place.channelId}`
}

function nameOfUser({ alias, username }: Pick<User, 'alias' | 'username'>): string {
  return alias ?? username
}

function named(name: string): string {
  return shortened(cleaned(name), MAX_NAME)
}

/** Shortens the text until the payload fits: some scripts take many bytes. */
function encode(payload: PushPayload, length = MAX_TEXT): Buffer {
  const { text, body } = payload
  const fitting = { ...payload, text: shortened(text, length), body: shortened(body, length) }
  const bytes = Buffer.from(JSON.stringify(fitting))
  return bytes.length > MAX_BYTES && length > 1 ? encode(payload, Math.ceil(length / 2)) : bytes
}
