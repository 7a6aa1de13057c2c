import { hostOf } from '@foyer/markdown/links'
import type { EmbedMedia } from '@foyer/protocol/embeds'
import { type CSSProperties, useState } from 'react'
import { boxOf } from '#src/attachments/transfer/gallery-layout.ts'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { sourceOf } from './media.ts'

/** An image in a box of its size. Clicking it opens the source. */
export function EmbedImage({ media, href }: { media: EmbedMedia; href: string | null }) {
  const [isBroken, setIsBroken] = useState(false)
  const tabIndex = useRowPart()
  const source = sourceOf(media)
  const where = href ?? media.url
  if (source === null || isBroken)
    return <MediaLink href={where}>{t('Image at {host}', { host: hostOf(where) })}</MediaLink>
  return (
    <a
      className="embed-image"
      href={where}
      target="_blank"
      rel="noopener noreferrer nofollow"
      tabIndex={tabIndex}
      aria-label={t('Image from {host}', { host: hostOf(where) })}
      style={boxStyle(media)}
    >
      <img src={source} alt="" loading="lazy" decoding="async" onError={() => setIsBroken(true)} />
    </a>
  )
}

export function EmbedVideo({ media, poster = null }: { media: EmbedMedia; poster?: EmbedMedia | null }) {
  const [isBroken, setIsBroken] = useState(false)
  const tabIndex = useRowPart()
  const source = sourceOf(media)
  if (source === null || isBroken)
    return <MediaLink href={media.url}>{t('Video at {host}', { host: hostOf(media.url) })}</MediaLink>
  const isSound = media.content_type?.startsWith('audio/') === true
  const shared = { src: source, controls: true, tabIndex, onError: () => setIsBroken(true) }
  // Embedded media has no captions.
  if (isSound) return <audio {...shared} className="embed-sound" preload="none" aria-label={media.url} />
  return (
    <video
      {...shared}
      className="embed-video"
      style={boxStyle(media)}
      poster={(poster && sourceOf(poster)) ?? undefined}
      preload={poster === null ? 'metadata' : 'none'}
      playsInline
      aria-label={t('Video from {host}', { host: hostOf(media.url) })}
    />
  )
}

/** Small image beside a card's text. */
export function Thumbnail({ media }: { media: EmbedMedia }) {
  return <Ornament media={media} className="embed-thumbnail" />
}

/** Image as tall as the text after it. */
export function EmbedIcon({ media = null }: { media: EmbedMedia | null | undefined }) {
  return media && <Ornament media={media} className="embed-icon" />
}

/** Shows nothing if the image fails to load. */
function Ornament({ media, className }: { media: EmbedMedia; className: string }) {
  const [isBroken, setIsBroken] = useState(false)
  const source = sourceOf(media)
  if (source === null || isBroken) return null
  return (
    <img
      className={className}
      src={source}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setIsBroken(true)}
    />
  )
}

/** Link to media that the server has no copy of. */
function MediaLink({ href, children }: { href: string; children: string }) {
  const tabIndex = useRowPart()
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
      {children}
    </a>
  )
}

function boxStyle(media: EmbedMedia): CSSProperties {
  const { width, height } = boxOf(media)
  return { width, aspectRatio: `${width} / ${height}` }
}
