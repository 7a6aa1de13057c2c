import { type Card, cut } from '../cards.ts'
import type { Payload } from '../payload.ts'

/** A GitHub event as a card. */
export interface GithubCard extends Card {
  /** Key of an action that GitHub reports in several events, so that it is posted once. */
  once?: string
}

export const GREEN = 0x2da44e
export const RED = 0xcf222e
export const PURPLE = 0x8250df
export const GREY = 0x6e7781
export const BLUE = 0x0969da
export const YELLOW = 0xbf8700

export const MAX_BODY = 1000

export type Reader = (payload: Payload) => GithubCard | undefined

export function where(payload: Payload): string {
  const name = payload.text('repository.full_name') || payload.text('organization.login')
  return name === '' ? '' : `[${name}] `
}

export function numbered(subject: Payload): string {
  return `#${subject.text('number')} ${subject.text('title')}`
}

export function bodyOf(payload: Payload, key: string): string {
  return cut(payload.text(`${key}.body`), MAX_BODY)
}

export function shortHash(hash: string): string {
  return hash.slice(0, 7).replaceAll(/[^0-9a-f]/gi, '')
}

export function linkTo(text: string, url: string): string {
  return /^https?:\/\/[^\s()<>]+$/.test(url) ? `[${text}](${url})` : text
}

export function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}
