import type { EmbedMedia } from '@foyer/protocol/embeds'
import { pictureUrl } from '#src/images/picture-url.ts'

/** Where a picture, video or sound is loaded from: never from its own host, which would learn who looks at it. */
export function sourceOf(media: EmbedMedia): string | null {
  if (media.proxy_url !== undefined) return media.proxy_url
  return media.attachment_id === null ? null : pictureUrl(media.attachment_id)
}

/** A colour as CSS has it. */
export function cssColor(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`
}
