import type { Embed } from '@foyer/protocol/embeds'
import type { DownloadSigner } from '#src/files/signatures.ts'

/**
 * Embeds as they leave the server: with an address at which browsers load a video without telling its host who watches.
 * @param now milliseconds since 1970
 */
export function shownEmbeds(embeds: readonly Embed[], downloads: DownloadSigner, now: number): Embed[] {
  return embeds.map((embed) => {
    const { video } = embed
    return video === null
      ? embed
      : { ...embed, video: { ...video, proxy_url: downloads.proxyUrlOf(video.url, now) } }
  })
}
