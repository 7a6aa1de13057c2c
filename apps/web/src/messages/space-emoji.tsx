import type { SpaceEmoji } from '@foyer/protocol/emojis'
import { MovableImage } from '#src/attachments/movable-image.tsx'
import { useAppState } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import './space-emoji.css'

/** An emoji of any space that the reader is in; of others, and of deleted ones, the name is left. */
export function SpaceEmojiImage({ id, name }: { id: string; name: string }) {
  const emoji = useAppState((state) => findEmoji(state, id))
  if (emoji === undefined) return <span>:{name}:</span>
  return (
    <span className="space-emoji" title={`:${emoji.name}:`}>
      <MovableImage
        src={`/attachments/${emoji.attachment_id}`}
        alt={`:${emoji.name}:`}
        moves={emoji.animated}
        loading="lazy"
        decoding="async"
      />
    </span>
  )
}

function findEmoji({ spaces }: State, id: string): SpaceEmoji | undefined {
  for (const { emojis } of Object.values(spaces)) {
    const found = emojis.find((emoji) => emoji.id === id)
    if (found !== undefined) return found
  }
  return undefined
}
