import type { Embed } from '@foyer/protocol/embeds'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'

/**
 * Returns embeds in their published form. Videos get a proxied address, so that their host does not learn the viewers'
 * addresses.
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
