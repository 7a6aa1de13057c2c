import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { MovableImage } from '#src/images/movable-image.tsx'
import { pictureUrl } from '#src/images/picture-url.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'

/** Returns an emoji of any of the user's spaces. */
export function useSpaceEmoji(id: string): SpaceEmoji | undefined {
  return useAppState((state) => findEmoji(state, id))
}

/** Returns the name of a reaction. Deleted emoji have no name. */
export function useReactionName(emoji: string): string {
  const known = useSpaceEmoji(emoji)
  if (known !== undefined) return `:${known.name}:`
  return isId(emoji) ? t('deleted emoji') : emoji
}

/** The image of a reaction. Its parent provides the name. */
export function ReactionEmoji({ emoji }: { emoji: string }) {
  const known = useSpaceEmoji(emoji)
  if (known === undefined) return <span className="reaction-emoji">{isId(emoji) ? '▢' : emoji}</span>
  return (
    <span className="reaction-emoji">
      <MovableImage src={pictureUrl(known.attachment_id)} alt="" moves={known.animated} />
    </span>
  )
}

function isId(emoji: string): boolean {
  return /^[0-9a-f-]{36}$/.test(emoji)
}

function findEmoji({ spaces }: State, id: string): SpaceEmoji | undefined {
  if (!isId(id)) return undefined
  for (const { emojis } of Object.values(spaces)) {
    const found = emojis.find((emoji) => emoji.id === id)
    if (found !== undefined) return found
  }
  return undefined
}
