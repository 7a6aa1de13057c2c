import { httpUrl } from '../cards.ts'
import type { Payload } from '../payload.ts'
import { emojiNamed } from './emojis.ts'
import { linkTo } from './text.ts'

const MAX_PARTS = 200
const MAX_INDENT = 8
const MARKS = /[\\*_~`[\]]/g
const FENCE = '```'

/** Converts a `rich_text` block, which Slack's editor makes, to Markdown. */
export function richText(block: Payload): string {
  return block
    .list('elements', MAX_PARTS)
    .map(partOf)
    .filter((part) => part !== '')
    .join('\n')
}

function partOf(part: Payload): string {
  const type = part.text('type')
  if (type === 'rich_text_section') return inlineOf(part)
  if (type === 'rich_text_list') return listOf(part)
  if (type === 'rich_text_quote') return inlineOf(part).replaceAll(/^/gm, '> ')
  if (type === 'rich_text_preformatted') return [FENCE, plainOf(part).replaceAll(FENCE, ''), FENCE].join('\n')
  return ''
}

function listOf(list: Payload): string {
  const isOrdered = list.text('style') === 'ordered'
  const indent = '  '.repeat(Math.min(Math.max(Math.trunc(list.number('indent') ?? 0), 0), MAX_INDENT))
  const items = list.list('elements', MAX_PARTS).map(inlineOf)
  return items.map((item, index) => `${indent}${isOrdered ? `${index + 1}.` : '-'} ${item}`).join('\n')
}

function inlineOf(holder: Payload): string {
  return holder.list('elements', MAX_PARTS).map(elementOf).join('')
}

/** Returns the text without styles. */
export function plainOf(holder: Payload): string {
  const parts = holder.list('elements', MAX_PARTS).map((part) => {
    if (part.text('type') === 'rich_text_section') return wordsOf(part)
    return part.text('text') || part.text('url') || elementOf(part)
  })
  return parts.join('').toWellFormed()
}

function wordsOf(section: Payload): string {
  return section
    .list('elements', MAX_PARTS)
    .map((part) => part.text('text') || part.text('url') || elementOf(part))
    .join('')
}

function elementOf(element: Payload): string {
  const type = element.text('type')
  const text = element.text('text').toWellFormed()
  if (type === 'text') return styledText(element, text)
  if (type === 'link') return linkOf(element, text)
  if (type === 'emoji') return emojiOf(element)
  if (type === 'user') return `@${element.text('user_id').toWellFormed()}`
  if (type === 'usergroup') return `@${element.text('usergroup_id').toWellFormed()}`
  if (type === 'channel') return `#${element.text('channel_id').toWellFormed()}`
  if (type === 'broadcast') return '@everyone'
  if (type === 'date') return element.text('fallback').toWellFormed()
  return type === 'color' ? element.text('value').toWellFormed() : ''
}

function emojiOf(element: Payload): string {
  const name = element.text('name').toWellFormed()
  return emojiNamed(name) ?? `:${name}:`
}

function linkOf(element: Payload, text: string): string {
  const url = httpUrl(element.text('url'))
  if (url === null) return styledText(element, text)
  return text === '' || text === url ? url : wrapped(element, linkTo(text, url))
}

function styledText(element: Payload, text: string): string {
  if (!element.isTrue('style.code')) return wrapped(element, text.replaceAll(MARKS, '\\$&'))
  return `\`${text.replaceAll('`', "'")}\``
}

/** Keeps spaces outside of the style: a Markdown style cannot begin or end with a space. */
function wrapped(element: Payload, text: string): string {
  const inner = text.trim()
  if (inner === '') return text
  const marks = [
    element.isTrue('style.bold') ? '**' : '',
    element.isTrue('style.italic') ? '*' : '',
    element.isTrue('style.strike') ? '~~' : '',
  ]
  const before = text.slice(0, text.indexOf(inner))
  const after = text.slice(before.length + inner.length)
  return `${before}${marks.join('')}${inner}${marks.toReversed().join('')}${after}`
}
