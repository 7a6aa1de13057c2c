import { MovableImage } from '#src/images/movable-image.tsx'
import { useSpaceEmoji } from './reaction-emoji.tsx'
import './space-emoji.css'

/** An emoji of one of the user's spaces. Emoji of other spaces and deleted emoji are shown as their name. */
export function SpaceEmojiImage({ id, name }: { id: string; name: string }) {
  const emoji = useSpaceEmoji(id)
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
