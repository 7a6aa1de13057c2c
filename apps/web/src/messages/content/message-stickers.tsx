import type { SpaceSticker } from '@foyer/protocol/stickers'
import { useState } from 'react'
import { MovableImage } from '#src/images/movable-image.tsx'
import { t } from '#src/language/texts.ts'
import './message-stickers.css'

/** The stickers of a message, in boxes of their final size. */
export function MessageStickers({ stickers }: { stickers: readonly SpaceSticker[] }) {
  if (stickers.length === 0) return null
  return (
    <div className="message-stickers">
      {stickers.map((sticker) => (
        <Sticker key={sticker.id} sticker={sticker} />
      ))}
    </div>
  )
}

/** A deleted sticker is shown as its name. */
function Sticker({ sticker: { name, attachment_id, animated } }: { sticker: SpaceSticker }) {
  const [isGone, setIsGone] = useState(false)
  if (isGone) return <span className="sticker sticker-gone">{t('Sticker: {name}', { name })}</span>
  return (
    <span className="sticker" title={name}>
      <MovableImage
        src={`/attachments/${attachment_id}`}
        alt={t('Sticker: {name}', { name })}
        moves={animated}
        loading="lazy"
        decoding="async"
        onError={() => setIsGone(true)}
      />
    </span>
  )
}
