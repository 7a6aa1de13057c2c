import {
  FeedPosition,
  GoneFeedMessage,
  type ShownFeedMessage as Shown,
  ShownFeedMessage,
} from '@foyer/protocol/announcement-feed'
import { CreateEmbed, type Embed, type EmbedMedia } from '@foyer/protocol/embeds'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { isGoodText } from '#src/kernel/http/bodies/body.ts'
import { compileInput } from '#src/kernel/http/validation.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import { isOfOrigin, pageUrlOf, type RemoteAddress } from './addresses.ts'

/** An announcement of another server that can be read there. */
export interface ShownChange {
  kind: 'there'
  number: number
  id: string
  message: Shown
}

/** The latest state of an announcement. `malformed`: the other server may send anything. */
export type Change = ShownChange | { kind: 'gone' | 'malformed'; number: number; id: string }

const isPosition = compileInput(FeedPosition)
const isGone = compileInput(GoneFeedMessage)
const isShown = compileInput(ShownFeedMessage)
const areEmbeds = compileInput(Type.Array(CreateEmbed))

/** Returns the changes in the order of their numbers, each message once. Changes without a number are left out. */
export function changesOf(messages: readonly unknown[], room: RemoteAddress): Change[] {
  const changes = messages.flatMap((message) => changeOf(message, room) ?? [])
  const latest = new Map<string, Change>()
  for (const change of changes.toSorted((one, other) => one.number - other.number))
    latest.set(change.id, change)
  return [...latest.values()].toSorted((one, other) => one.number - other.number)
}

function changeOf(given: unknown, room: RemoteAddress): Change | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  // Each check gets a shallow copy, because a check drops fields that its schema lacks. A deep copy could cost as much
  // as the other server likes.
  const place: unknown = { ...given }
  if (!isPosition(place)) return undefined
  const { number, id } = place
  const gone: unknown = { ...given }
  if (isGone(gone)) return { kind: 'gone', number, id }
  if (!isGoodText(given) || !isShown(given)) return { kind: 'malformed', number, id }
  const embeds = ownEmbeds(given.embeds)
  if (embeds === undefined) return { kind: 'malformed', number, id }
  const url = isOfOrigin(given.url, room.origin) ? given.url : pageUrlOf(room)
  return { kind: 'there', number, id, message: { ...given, embeds, url } }
}

/** Returns the embeds if a webhook of this server could send them; undefined otherwise. Their pictures are copied later. */
export function ownEmbeds(embeds: readonly Embed[]): Embed[] | undefined {
  const created = embeds.map(createdFrom)
  if (!areEmbeds(created)) return undefined
  try {
    return toEmbeds(created)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function createdFrom({ url, title, description, color, timestamp, fields, ...parts }: Embed): CreateEmbed {
  const { author, footer, image, thumbnail, video } = parts
  return {
    ...{ url, title, description, color, timestamp, fields },
    author: author && { name: author.name, url: author.url, icon_url: author.icon_url },
    footer: footer && { text: footer.text, icon_url: footer.icon_url },
    image: mediaFrom(image),
    thumbnail: mediaFrom(thumbnail),
    video: mediaFrom(video),
  }
}

function mediaFrom(media: EmbedMedia | null): { url: string } | null {
  return media && { url: media.url }
}
