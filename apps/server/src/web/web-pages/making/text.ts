import { type Block, type Inline, plainText } from '@foyer/markdown/nodes'
import { parse } from '@foyer/markdown/parser'
import { Html, html, nothing } from './html.ts'
import type { Words } from './words.ts'

/** Names for the ids in a text, undefined for what must not be named, and words used in place of missing names. */
export interface Names {
  readonly words: Pick<Words, 'aMember' | 'aRole' | 'aRoom' | 'spoiler'>
  user(id: string): string | undefined
  role(id: string): string | undefined
  /** True to leave spoilers out, for clients that cannot hide them. */
  readonly leavesOutSpoilers?: boolean
  room(id: string): { readonly name: string; readonly path: string } | undefined
}

/** Renders a message's text, by the rules of the web client. */
export function renderText(text: string, names: Names): Html {
  return join(parse(text).map((block) => blockHtml(block, names)))
}

function blockHtml(block: Block, names: Names): Html {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${lineHtml(block.children, names)}</p>`
    case 'heading':
      return html`<p class="h">${lineHtml(block.children, names)}</p>`
    case 'quote':
      return html`<blockquote>${join(block.blocks.map((inner) => blockHtml(inner, names)))}</blockquote>`
    case 'fence':
      return html`<pre tabindex="0"><code>${block.text}</code></pre>`
    default:
      return listHtml(block, names)
  }
}

function listHtml({ start, items }: Extract<Block, { kind: 'list' }>, names: Names): Html {
  const entries = items.map(
    (blocks) => html`<li>${join(blocks.map((block) => blockHtml(block, names)))}</li>`,
  )
  return start === null ? html`<ul>${entries}</ul>` : html`<ol start="${start}">${entries}</ol>`
}

function lineHtml(nodes: readonly Inline[], names: Names): Html {
  return join(nodes.map((node) => inlineHtml(node, names)))
}

function inlineHtml(node: Inline, names: Names): Html {
  switch (node.kind) {
    case 'text':
    case 'everyone':
      return html`${node.text}`
    case 'break':
      return html`<br>`
    case 'code':
      return html`<code>${node.text}</code>`
    case 'link':
      return html`<a href="${node.href}" rel="nofollow ugc noopener">${lineHtml(node.children, names)}</a>`
    case 'emoji':
      return html`:${node.name}:`
    case 'user':
      return html`<b>@${names.user(node.id) ?? names.words.aMember}</b>`
    case 'role':
      return html`<b>@${names.role(node.id) ?? names.words.aRole}</b>`
    case 'room':
      return roomHtml(names.room(node.id), names)
    default:
      return styledHtml(node, names)
  }
}

function roomHtml(room: ReturnType<Names['room']>, { words }: Names): Html {
  return room === undefined ? html`<b>#${words.aRoom}</b>` : html`<a href="${room.path}">#${room.name}</a>`
}

type Styled = Extract<Inline, { kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler' }>

function styledHtml({ kind, children }: Styled, names: Names): Html {
  const inner = lineHtml(children, names)
  switch (kind) {
    case 'bold':
      return html`<strong>${inner}</strong>`
    case 'italic':
      return html`<em>${inner}</em>`
    case 'underline':
      return html`<u>${inner}</u>`
    case 'strike':
      return html`<s>${inner}</s>`
    default:
      if (names.leavesOutSpoilers) return html`<em>[${names.words.spoiler}]</em>`
      // This element opens without a script. A `details` element would end the paragraph.
      return html`<label class="s"><input type="checkbox"> ${names.words.spoiler}<span> ${inner}</span></label>`
  }
}

function join(parts: readonly Html[]): Html {
  return parts.length === 0 ? nothing : new Html(parts.map(({ text }) => text).join(''))
}

/** Returns a text on one line, for descriptions and titles: without Markdown, names, and the content of spoilers. */
export function summaryOf(text: string, maxCharacters: number, spoiler: string): string {
  const line = parse(text)
    .map((block) => plainBlock(block, spoiler))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  const signs = [...line]
  return signs.length <= maxCharacters ? line : `${signs.slice(0, maxCharacters - 1).join('')}…`
}

function plainBlock(block: Block, spoiler: string): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plainText(block.children, (node) => shownInstead(node, spoiler))
    case 'quote':
      return block.blocks.map((inner) => plainBlock(inner, spoiler)).join(' ')
    case 'fence':
      return block.text
    default:
      return block.items
        .flat()
        .map((inner) => plainBlock(inner, spoiler))
        .join(' ')
  }
}

function shownInstead({ kind }: Inline, spoiler: string): string | undefined {
  if (kind === 'spoiler') return spoiler
  return kind === 'emoji' ? '' : undefined
}
