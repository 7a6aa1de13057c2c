import MarkdownIt from 'markdown-it'
import { blockquote, fence, heading, paragraph } from './block-rules.ts'
import { address, emoji, everyone, mention, spoiler, text } from './inline-rules.ts'
import { isLinkable } from './links.ts'
import type { Block } from './nodes.ts'
import { blocksOf } from './token-tree.ts'

/** Limits nesting, which costs time and stack. */
const MAX_NESTING = 12

const markdown = new MarkdownIt('zero', { html: false, breaks: true, maxNesting: MAX_NESTING })
markdown.enable(['escape', 'backticks', 'strikethrough', 'emphasis', 'link', 'autolink', 'newline'])
markdown.enable(['fence', 'blockquote', 'heading', 'list'])
markdown.block.ruler.at('fence', fence, { alt: ['paragraph', 'blockquote', 'list'] })
markdown.block.ruler.at('blockquote', blockquote, { alt: ['paragraph', 'blockquote', 'list'] })
markdown.block.ruler.at('heading', heading, { alt: ['paragraph', 'blockquote'] })
markdown.block.ruler.at('paragraph', paragraph)
markdown.inline.ruler.at('text', text)
markdown.inline.ruler.before('escape', 'address', address)
markdown.inline.ruler.before('escape', 'spoiler', spoiler)
markdown.inline.ruler.before('escape', 'mention', mention)
markdown.inline.ruler.before('escape', 'emoji', emoji)
markdown.inline.ruler.before('escape', 'everyone', everyone)
markdown.validateLink = isLinkable
// URLs are linked as written: international host names are not converted to ASCII or back.
markdown.normalizeLink = (url) => url
markdown.normalizeLinkText = (url) => url

/** Parses the text of a message. Nothing in it becomes HTML. */
export function parse(text: string): readonly Block[] {
  return blocksOf(markdown.parse(text, {}))
}
