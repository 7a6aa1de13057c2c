import { addressAt } from '@foyer/markdown/links'

/** A part of a text: plain text or a URL. */
export interface TextPart {
  readonly text: string
  readonly isLink: boolean
}

const SCHEME = /\bhttps?(?=:\/\/)/gi

/** Splits a plain text into its http(s) URLs and the text between them. */
export function linkedParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: scheme, index } of text.matchAll(SCHEME)) {
    const rest = index < end ? undefined : addressAt(text, index + scheme.length, scheme)
    if (rest === undefined) continue
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false })
    parts.push({ text: scheme + rest, isLink: true })
    end = index + scheme.length + rest.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false })
  return parts
}
