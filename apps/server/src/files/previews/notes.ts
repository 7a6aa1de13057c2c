import { EmbedType } from '@foyer/protocol/embeds'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { type Place, placeOfEvent } from '#src/channels/place.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { picturesOf } from './embed-pictures.ts'
import { findLinks } from './links.ts'
import { uncopied } from './own-embeds.ts'

/** A message whose previews may not match its links. */
export interface Note {
  place: Place
  messageId: string
  authorId: string
}

/** Returns the message if an event may need previews. Nearly all events do not: their data contains no `://`. */
export function noteOf(event: Event): Note | undefined {
  const { name, data } = event
  const tellsMessage = name === 'MESSAGE_CREATE' || name === 'MESSAGE_UPDATE'
  if (!tellsMessage || !data.includes('://')) return undefined
  const message: Message = JSON.parse(data)
  if (!needsPreviews(message)) return undefined
  return { place: placeOfEvent(event), messageId: message.id, authorId: message.author.id }
}

function needsPreviews({ content, flags, embeds, snapshot }: Message): boolean {
  const isSuppressed = (flags & MessageFlag.SuppressEmbeds) !== 0
  const links = isSuppressed ? [] : findLinks(content)
  const shown = embeds.filter(({ type }) => type !== EmbedType.Rich).map(({ url }) => url ?? '')
  const isSame = links.length === shown.length && links.every((link, index) => link === shown[index])
  const isStrange = uncopied(embeds).length > 0
  return !isSame || isStrange || (snapshot?.embeds ?? []).some((embed) => picturesOf(embed).length > 0)
}
