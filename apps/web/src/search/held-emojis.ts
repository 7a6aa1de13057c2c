import { EMOJI } from '#src/emojis/emoji-text.ts'

export interface HeldEmoji {
  readonly id: string
  readonly name: string
}

export interface HeldText {
  /** The text with a private-use character for each custom emoji. */
  readonly text: string
  readonly emojis: readonly HeldEmoji[]
}

const FIRST = 0xe000
/** Characters that Unicode reserves for private use. */
const PRIVATE = /[\ue000-\uf8ff]/g

/** Replaces each custom emoji with one character, so that the text can be searched and cut. */
export function holdEmojis(content: string): HeldText {
  const emojis: HeldEmoji[] = []
  const text = content.replaceAll(PRIVATE, '').replaceAll(EMOJI, (_all, name: string, id: string) => {
    emojis.push({ id, name })
    return String.fromCharCode(FIRST + emojis.length - 1)
  })
  return { text, emojis }
}

/** Splits a piece of the text of `holdEmojis` into plain texts and emojis. */
export function partsOf(piece: string, emojis: readonly HeldEmoji[]): (string | HeldEmoji)[] {
  const parts = piece.split(/([\ue000-\uf8ff])/).filter((part) => part !== '')
  return parts.map((part) => emojis[part.charCodeAt(0) - FIRST] ?? part)
}
