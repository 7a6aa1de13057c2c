import type { Message } from '@foyer/protocol/messages'
import type { Row } from './rows.ts'

/** Maximum remembered heights. If exceeded, all are dropped, and rows are measured again when shown. */
const MAX_REMEMBERED = 5000

const DIVIDER_PX = 34
const LINE_PX = 23
const BYLINE_PX = 36
const LINE_CHARACTERS = 90
const MEDIA_PX = 300
const EMBED_PX = 130
const REACTIONS_PX = 34

/** Heights of rows: measured when last shown, otherwise estimated. */
export class RowHeights {
  readonly #measured = new Map<string, number>()

  readonly of = (row: Row): number => this.#measured.get(row.key) ?? guess(row)

  measured(key: string, height: number): void {
    if (this.#measured.size > MAX_REMEMBERED) this.#measured.clear()
    this.#measured.set(key, height)
  }

  /** Called when the list's width changes, which makes the measurements useless. */
  forget(): void {
    this.#measured.clear()
  }
}

function guess(row: Row): number {
  if (row.kind === 'day' || row.kind === 'new' || row.kind === 'blocked') return DIVIDER_PX
  const byline = row.grouped ? 0 : BYLINE_PX
  const lines = row.message.content
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.length / LINE_CHARACTERS), 0)
  const text = byline + Math.max(1, lines) * LINE_PX
  return row.kind === 'outgoing' ? text : text + extras(row.message)
}

function extras(message: Message): number {
  const { attachments, stickers, embeds, reactions, referenced_message, replies } = message
  const media = attachments.length + stickers.length > 0 ? MEDIA_PX : 0
  const lines = [referenced_message, replies].filter((part) => part !== null).length * LINE_PX
  return media + embeds.length * EMBED_PX + (reactions.length > 0 ? REACTIONS_PX : 0) + lines
}
