import { EMOJI } from '#src/messages/emoji-text.ts'

export interface HeldEmoji {
  readonly id: string
  readonly name: string
}

export interface HeldText {
  /** With a private character in the place of each emoji of a space. */
  readonly text: string
  readonly emojis: readonly HeldEmoji[]
}

const FIRST = 0xe000
/** Unicode gives these characters no meaning. */
const PRIVATE = /[\ue000-\uf8ff]/g

/** Puts one character in the place of each emoji of a space, so that the text can be searched and cut. */
export function holdEmojis(content: string): HeldText {
  const emojis: HeldEmoji[] = []
  const text = content.replaceAll(PRIVATE, '').replaceAll(EMOJI, (_all, name: string, id: string) => {
    emojis.push({ id, name })
    return String.fromCharCode(FIRST + emojis.length - 1)
  })
  return { text, emojis }
}

/** The parts of a piece of such a text, in their order: what is written, and emojis. */
export function partsOf(piece: string, emojis: readonly HeldEmoji[]): (string | HeldEmoji)[] {
  const parts = piece.split(/([\ue000-\uf8ff])/).filter((part) => part !== '')
  return parts.map((part) => emojis[part.charCodeAt(0) - FIRST] ?? part)
}
