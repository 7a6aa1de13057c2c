import type { EmbedMedia } from '@foyer/protocol/embeds'
import { pictureUrl } from '#src/images/picture-url.ts'

/** Returns the URL to load media from: never the original host, which would learn the viewer's address. */
export function sourceOf(media: EmbedMedia): string | null {
  if (media.proxy_url !== undefined) return media.proxy_url
  return media.attachment_id === null ? null : pictureUrl(media.attachment_id)
}

/** Converts a colour to CSS. */
export function cssColor(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`
}
