import { makeFeed, makeRobots, makeRoomSitemap, makeSitemap, type SitemapContent } from './feeds.ts'
import { makeRoomPage, makeSpacePage, type RoomStart } from './index-pages.ts'
import type { MadePage } from './made-page.ts'
import { type MakingDeps, makeMonthPage, makeThreadPage } from './pages.ts'
import type { Start } from './paths.ts'
import type { ReadableRoom, ReadableSpace, ReadableThread } from './readable-room.ts'

/** A page to make. It has everything that decides what may be read, apart from single messages and threads. */
export type PageJob =
  | { readonly kind: 'robots'; readonly isAllowed: boolean }
  | { readonly kind: 'sitemap'; readonly content: SitemapContent }
  | { readonly kind: 'space'; readonly readable: ReadableSpace; readonly after: string | undefined }
  | { readonly kind: 'room'; readonly readable: ReadableRoom; readonly start: RoomStart }
  | { readonly kind: 'feed' | 'room sitemap'; readonly readable: ReadableRoom }
  | { readonly kind: 'month'; readonly readable: ReadableRoom; readonly month: string; readonly start: Start }
  | { readonly kind: 'thread'; readonly readable: ReadableThread; readonly start: Start }

/** @returns undefined for a page that cannot be read */
export async function makePage(deps: MakingDeps, job: PageJob): Promise<MadePage | undefined> {
  switch (job.kind) {
    case 'robots':
      return makeRobots(deps.origin, job.isAllowed)
    case 'sitemap':
      return makeSitemap(deps.origin, job.content)
    case 'space':
      return makeSpacePage(deps, job.readable, job.after)
    case 'room':
      return makeRoomPage(deps, job.readable, job.start)
    case 'feed':
      return makeFeed(deps, job.readable)
    case 'room sitemap':
      return makeRoomSitemap(deps, job.readable)
    case 'month':
      return makeMonthPage(deps, job.readable, job.month, job.start)
    case 'thread':
      return makeThreadPage(deps, job.readable, job.start)
  }
}
