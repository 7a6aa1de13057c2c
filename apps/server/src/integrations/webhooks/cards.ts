import type { CreateEmbed } from '@foyer/protocol/embeds'
import { limits, MAX_EMBED_CHARACTERS, MAX_EMBED_FIELDS, MAX_EMBEDS } from '@foyer/protocol/limits'

type Author = NonNullable<CreateEmbed['author']>
type Field = NonNullable<CreateEmbed['fields']>[number]
type Footer = NonNullable<CreateEmbed['footer']>

const MAX_TITLE = 256
const MAX_DESCRIPTION = 4096
const MAX_FIELD_VALUE = 1024
const MAX_FOOTER = 2048

/** Content of another service's event, of any length. It is cut to fit an embed. */
export interface Card {
  title?: string
  url?: string
  description?: string
  color?: number | undefined
  timestamp?: string | undefined
  author?: { name: string; url?: string; iconUrl?: string } | undefined
  image?: string
  thumbnail?: string
  fields?: { name: string; value: string; inline?: boolean }[]
  footer?: { text: string; iconUrl?: string } | undefined
}

/** Makes embeds that are always accepted: texts are cut, and invalid addresses and empty cards are left out. */
export function embedsOf(cards: readonly Card[]): CreateEmbed[] {
  let left = MAX_EMBED_CHARACTERS
  const take = (text: string, most: number) => {
    const taken = cut(text, Math.min(most, left))
    left -= [...taken].length
    return taken
  }
  return cards.slice(0, MAX_EMBEDS).flatMap((card) => {
    const embed = embedOf(card, take)
    return isEmpty(embed) ? [] : [embed]
  })
}

type Take = (text: string, most: number) => string

function embedOf(card: Card, take: Take): CreateEmbed {
  return {
    title: take(card.title ?? '', MAX_TITLE),
    url: httpUrl(card.url),
    author: authorOf(card, take),
    description: take(card.description ?? '', MAX_DESCRIPTION),
    fields: fieldsOf(card, take),
    footer: footerOf(card, take),
    color: colorOf(card.color),
    timestamp: card.timestamp ?? null,
    image: mediaOf(card.image),
    thumbnail: mediaOf(card.thumbnail),
  }
}

function authorOf({ author }: Card, take: Take): Author | null {
  const name = take(author?.name ?? '', MAX_TITLE)
  return name === '' ? null : { name, url: httpUrl(author?.url), icon_url: httpUrl(author?.iconUrl) }
}

function fieldsOf({ fields = [] }: Card, take: Take): Field[] {
  return fields.slice(0, MAX_EMBED_FIELDS).flatMap((field) => {
    const name = take(field.name, MAX_TITLE)
    const value = take(field.value, MAX_FIELD_VALUE)
    return name === '' || value === '' ? [] : [{ name, value, inline: field.inline ?? false }]
  })
}

function footerOf({ footer }: Card, take: Take): Footer | null {
  const text = take(footer?.text ?? '', MAX_FOOTER)
  return text === '' ? null : { text, icon_url: httpUrl(footer?.iconUrl) }
}

function mediaOf(url: string | undefined): { url: string } | null {
  const found = httpUrl(url)
  return found === null ? null : { url: found }
}

function colorOf(color: number | undefined): number | null {
  return color !== undefined && Number.isInteger(color) && color >= 0 && color <= 0xffffff ? color : null
}

function isEmpty({ title, description, author, image, thumbnail, fields, footer }: CreateEmbed): boolean {
  const texts = `${title}${description}${author?.name ?? ''}${footer?.text ?? ''}`
  return texts === '' && (fields ?? []).length === 0 && !image && !thumbnail
}

/** Trims the text and cuts it to a length, ending in an ellipsis if anything is missing. */
export function cut(text: string, most: number): string {
  const trimmed = text.trim()
  if (trimmed.length <= most) return trimmed
  const characters = [...trimmed.slice(0, 2 * most + 2)]
  if (characters.length <= most) return characters.join('')
  return most < 1
    ? ''
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** Returns the address if embeds accept it; null otherwise. */
export function httpUrl(text: string | undefined): string | null {
  const url = text === undefined ? null : URL.parse(text.trim())
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isHttp && url.href.length <= limits.urlMax ? url.href : null
}
