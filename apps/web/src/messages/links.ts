/** A stretch of a message: text as it is, or a link to what it says. */
export interface Segment {
  readonly text: string
  readonly href: string | null
}

const URLS = /https?:\/\/[^\s<>"'`]+/gi

/** Splits a text at its http(s) addresses. Joined again, the segments are the text. */
export function linkify(text: string): Segment[] {
  const segments: Segment[] = []
  let end = 0
  for (const match of text.matchAll(URLS)) {
    const url = withoutTrailing(match[0])
    if (!isAddress(url)) continue
    segments.push({ text: text.slice(end, match.index), href: null }, { text: url, href: url })
    end = match.index + url.length
  }
  segments.push({ text: text.slice(end), href: null })
  return segments.filter((segment) => segment.text !== '')
}

/** A sentence's punctuation behind an address is not of it, nor is a bracket that was opened before it. */
function withoutTrailing(url: string): string {
  const trimmed = url.replace(/[.,;:!?…]+$/, '')
  const opened = trimmed.split('(').length
  const closed = trimmed.split(')').length
  return trimmed.endsWith(')') && closed > opened ? withoutTrailing(trimmed.slice(0, -1)) : trimmed
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
}
