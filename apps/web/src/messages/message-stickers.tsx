import type { SpaceSticker } from '@foyer/protocol/stickers'
import { MovableImage } from '#src/attachments/movable-image.tsx'
import './message-stickers.css'

/** The stickers of a message, in boxes that are there before they are. */
export function MessageStickers({ stickers }: { stickers: readonly SpaceSticker[] }) {
  if (stickers.length === 0) return null
  return (
    <div className="message-stickers">
      {stickers.map(({ id, name, attachment_id, animated }) => (
        <span key={id} className="sticker" title={name}>
          <MovableImage
            src={`/attachments/${attachment_id}`}
            alt={`Sticker: ${name}`}
            moves={animated}
            loading="lazy"
            decoding="async"
          />
        </span>
      ))}
    </div>
  )
}
