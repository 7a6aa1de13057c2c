import { limits } from '@foyer/protocol/limits'

/** Control characters, and marks that change the text's direction. */
const UNWANTED =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]+/gu
/** Maximum characters of a text that are cleaned, far more than is shown. The rest is ignored. */
const MAX_RAW = 4096

/** Returns a third party's text as one line of limited length; null if nothing is left. */
export function cleanText(text: string | undefined, most: number): string | null {
  if (text === undefined) return null
  const line = text.slice(0, MAX_RAW).toWellFormed().replace(UNWANTED, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length > most)
    return `${characters
      .slice(0, most - 1)
      .join('')
      .trimEnd()}…`
  return line === '' ? null : line
}

/** Resolves an address against the page's address. Returns null unless the result is an http or https address. */
export function httpUrl(text: string | undefined, base?: URL): string | null {
  const trimmed = text?.trim() ?? ''
  const url = trimmed === '' ? null : URL.parse(trimmed, base?.href)
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  const isPlain = isHttp && url.username === '' && url.password === '' && url.hostname !== ''
  return isPlain && url.href.length <= limits.urlMax ? url.href : null
}

/** Parses `#rgb`, `#rrggbb` and `rgb(…)` to a number. */
export function colorOf(text: string | undefined): number | null {
  const color = text?.trim().toLowerCase() ?? ''
  const [, hex = ''] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(color) ?? []
  if (hex.length === 6) return Number.parseInt(hex, 16)
  if (hex.length === 3) return Number.parseInt(hex.replace(/./g, '$&$&'), 16)
  const parts = /^rgba?\((\d{1,3})[ ,]+(\d{1,3})[ ,]+(\d{1,3})/.exec(color)?.slice(1).map(Number) ?? []
  return parts.length === 3 && parts.every((part) => part < 256)
    ? parts.reduce((sum, part) => sum * 256 + part, 0)
    : null
}

/** Parses a size in pixels. */
export function pixelsOf(text: string | undefined): number | null {
  const number = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0
  return number > 0 ? number : null
}
