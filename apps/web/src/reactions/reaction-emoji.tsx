import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { MovableImage } from '#src/attachments/movable-image.tsx'
import { pictureUrl } from '#src/images/picture-url.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'

/** An emoji of any space that the reader is in. */
export function useSpaceEmoji(id: string): SpaceEmoji | undefined {
  return useAppState((state) => findEmoji(state, id))
}

/** What a reaction is called: an emoji that was deleted has no name any more. */
export function useReactionName(emoji: string): string {
  const known = useSpaceEmoji(emoji)
  if (known !== undefined) return `:${known.name}:`
  return isId(emoji) ? t('deleted emoji') : emoji
}

/** How a reaction looks; its name is told by what is around it. */
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
