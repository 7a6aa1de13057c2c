import type { AutomodSource } from '@foyer/protocol/automod'
import { Capability } from '@foyer/protocol/capabilities'
import type { Member } from '@foyer/protocol/members'
import { has } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import type { FileRow } from '#src/files/objects/rows.ts'

/** The author of a text: a user or a webhook. */
export interface Writer {
  readonly id: string
  readonly type: 'user' | 'webhook'
  /** ISO 8601; null for a webhook. */
  readonly accountSince: string | null
  readonly roles: readonly string[]
  /** True for members who manage the rules. */
  readonly isExempt: boolean
}

/** A text that is about to be shown in a space. */
export interface Written {
  readonly spaceId: string
  /** Null outside of rooms. */
  readonly roomId: string | null
  /** The id of the thread, if the text is in a thread of the room. */
  readonly threadId?: string | undefined
  readonly source: AutomodSource
  readonly writer: Writer
  readonly texts: readonly string[]
  /** Number of mentioned users and roles; @everyone counts as one. */
  readonly mentions?: number
  readonly files?: readonly FileRow[]
}

/** A member with their permissions in the room, or in the space for texts outside of rooms. */
interface Membership {
  readonly caller: { readonly user: Pick<User, 'id' | 'created_at'> }
  readonly member: Pick<Member, 'roles'> | null
  readonly capabilities: number
}

export function writerOf({ caller, member, capabilities }: Membership): Writer {
  const { id, created_at: accountSince } = caller.user
  const isExempt = has(capabilities, Capability.ManageAutomod)
  return { id, type: 'user', accountSince, roles: member?.roles ?? [], isExempt }
}

export function webhookWriter(id: string): Writer {
  return { id, type: 'webhook', accountSince: null, roles: [], isExempt: false }
}

interface Mentioned {
  readonly users: readonly unknown[]
  readonly roleIds: readonly unknown[]
  readonly everyone: boolean
}

export function countMentions({ users, roleIds, everyone }: Mentioned): number {
  return users.length + roleIds.length + (everyone ? 1 : 0)
}

/** Parts of a message that have text. */
interface Readable {
  readonly content?: string | null | undefined
  readonly embeds?: unknown
  readonly components?: unknown
  readonly stickers?: readonly { readonly name: string }[]
  readonly files?: readonly Pick<FileRow, 'filename' | 'description'>[]
}

/** A message by any author, before or after it is posted. */
interface Post extends Readable {
  /** Name that a webhook chose for the message. */
  readonly name?: string
  readonly mentions: Mentioned
  readonly files?: readonly FileRow[]
  /** Content of the forwarded message. Its files are copied to the forward. */
  readonly forwarded?: Readable | undefined
}

/** Returns all parts of a message that rules check. */
export function writtenPost(
  where: Pick<Written, 'spaceId' | 'roomId' | 'source' | 'writer'>,
  { name = '', mentions, files = [], forwarded = {}, ...shown }: Post,
): Written {
  const texts = [...textsOf({ content: name }), ...textsOf({ ...shown, files }), ...textsOf(forwarded)]
  return { ...where, texts, mentions: countMentions(mentions), files }
}

/** Returns all texts of a message that people can read. */
export function textsOf({
  content,
  embeds = [],
  components = [],
  stickers = [],
  files = [],
}: Readable): string[] {
  const ofFiles = files.flatMap(({ filename, description }) => [filename, description ?? ''])
  const names = stickers.map(({ name }) => name)
  const all = [
    content ?? '',
    ...stringsIn(embeds, UNREAD_OF_EMBEDS),
    ...stringsIn(components, UNREAD),
    ...names,
    ...ofFiles,
  ]
  return all.filter((text) => text !== '')
}

/** Fields whose texts are not checked. An embed's field shows its `value`, but a select's option does not. */
const UNREAD_OF_EMBEDS: readonly string[] = ['type', 'timestamp']
const UNREAD: readonly string[] = ['type', 'style', 'custom_id', 'value']

/** Returns the texts at every depth. */
function stringsIn(value: unknown, unread: readonly string[]): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    unread.includes(name) ? [] : stringsIn(part, unread),
  )
}
