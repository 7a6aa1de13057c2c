import { limits, MAX_EMBED_FIELDS, MAX_EMBEDS } from '@foyer/protocol/limits'
import type { ExecuteWebhookBody } from '@foyer/protocol/webhooks'
import { type Card, cut, embedsOf, httpUrl } from '../cards.ts'
import type { Payload } from '../payload.ts'
import { richText } from './rich-text.ts'
import { tableOf } from './tables.ts'
import { linkTo, markdownOf } from './text.ts'

const MAX_BLOCKS = 50
const MAX_BLOCK_PARTS = 10

const COLORS: Readonly<Record<string, number>> = { good: 0x2eb67d, warning: 0xecb22e, danger: 0xe01e5a }

/** Reads a message of Slack's incoming webhooks: text or blocks, with attachments as embeds. */
export function readSlackMessage(payload: Payload): ExecuteWebhookBody {
  const blocks = blocksOf(payload)
  const attachments = payload.list('attachments', MAX_EMBEDS)
  const pretexts = attachments.map((attachment) => markdownOf(attachment.text('pretext')))
  const text = blocks.text === '' ? markdownOf(payload.text('text')) : blocks.text
  const cards = [...attachments.map(cardOf), ...blocks.cards]
  return {
    content: cut(joined([text, ...pretexts]), limits.messageMax),
    username: cut(payload.text('username'), limits.nameMax),
    avatar_url: httpUrl(payload.text('icon_url')),
    embeds: embedsOf(cards),
  }
}

function cardOf(attachment: Payload): Card {
  const blocks = blocksOf(attachment)
  const text = blocks.text === '' ? markdownOf(attachment.text('text')) : blocks.text
  const [image] = blocks.cards
  const links = linksOf(attachment.list('actions', MAX_BLOCK_PARTS))
  const card = {
    title: markdownOf(attachment.text('title')),
    url: attachment.text('title_link'),
    description: text,
    color: colorOf(attachment.text('color')),
    timestamp: timeOf(attachment.number('ts')),
    author: {
      name: attachment.text('author_name'),
      url: attachment.text('author_link'),
      iconUrl: attachment.text('author_icon'),
    },
    image: attachment.text('image_url') || (image?.image ?? ''),
    thumbnail: attachment.text('thumb_url'),
    fields: attachment.list('fields', MAX_EMBED_FIELDS).map(fieldOf),
    footer: { text: attachment.text('footer'), iconUrl: attachment.text('footer_icon') },
  }
  const says = [card.title, card.description, card.author.name, card.image, attachment.text('pretext')]
  const isBare = says.every((part) => part === '') && card.fields.length === 0
  const description = isBare ? markdownOf(attachment.text('fallback')) : card.description
  return { ...card, description: joined([description, links]) }
}

function fieldOf(field: Payload) {
  // A field of Slack may have no title, but a field of an embed needs a name: an invisible character is used.
  const name = markdownOf(field.text('title')) || '\u200b'
  return { name, value: markdownOf(field.text('value')), inline: field.isTrue('short') }
}

interface Blocks {
  text: string
  /** Pictures and videos. */
  cards: Card[]
}

/** Reads the blocks with content or links. Unknown and interactive blocks are left out. */
function blocksOf(holder: Payload): Blocks {
  const blocks = holder.list('blocks', MAX_BLOCKS)
  return { text: joined(blocks.map(textOfBlock)), cards: blocks.flatMap(cardOfBlock) }
}

function cardOfBlock(block: Payload): Card[] {
  const type = block.text('type')
  if (type === 'image') return [{ title: titleOfImage(block), image: block.text('image_url') }]
  if (type !== 'video') return []
  return [
    {
      title: titleOfImage(block),
      url: block.text('title_url') || block.text('video_url'),
      description: textOf(block.at('description')),
      author: { name: block.text('author_name') || block.text('provider_name') },
      image: block.text('thumbnail_url'),
    },
  ]
}

function titleOfImage(block: Payload): string {
  return block.text('title.text') || block.text('alt_text')
}

function textOfBlock(block: Payload): string {
  const type = block.text('type')
  if (type === 'header') return `**${textOf(block.at('text')).replaceAll('*', '')}**`
  if (type === 'divider') return '―――'
  if (type === 'section') {
    const fields = block.list('fields', MAX_BLOCK_PARTS).map(textOf)
    return joined([textOf(block.at('text')), ...fields, linkOf(block.at('accessory'))])
  }
  if (type === 'actions') return linksOf(block.list('elements', MAX_BLOCK_PARTS))
  if (type === 'rich_text') return richText(block)
  if (type === 'markdown') return block.text('text').toWellFormed()
  if (type === 'table') return tableOf(block)
  if (type === 'context') return block.list('elements', MAX_BLOCK_PARTS).map(textOf).filter(Boolean).join(' ')
  return ''
}

function linksOf(buttons: readonly Payload[]): string {
  return buttons.map(linkOf).filter(Boolean).join(' ')
}

/** Returns a link button as a labelled link. Buttons of attachments have a plain label. */
function linkOf(button: Payload): string {
  const url = httpUrl(button.text('url'))
  const label = (button.text('text.text') || button.text('text')).toWellFormed()
  return url === null || label.trim() === '' ? '' : linkTo(label, url)
}

/** Reads a text of type mrkdwn or plain_text. */
function textOf(text: Payload): string {
  const isPlain = text.text('type') === 'plain_text'
  return isPlain ? text.text('text') : markdownOf(text.text('text'))
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n')
}

function colorOf(color: string): number | undefined {
  if (Object.hasOwn(COLORS, color)) return COLORS[color]
  const [, hex] = /^#?([0-9a-f]{6})$/i.exec(color) ?? []
  return hex === undefined ? undefined : Number.parseInt(hex, 16)
}

/** @param seconds since 1970 */
function timeOf(seconds: number | undefined): string | undefined {
  const date = new Date((seconds ?? Number.NaN) * 1000)
  const isTime = !Number.isNaN(date.getTime()) && date.getUTCFullYear() < 10_000
  return isTime ? date.toISOString() : undefined
}
