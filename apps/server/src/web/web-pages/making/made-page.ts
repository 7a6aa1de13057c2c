/** A page as it is made, before it is compressed. */
export interface MadePage {
  readonly type: string
  readonly text: string
  /** Ids of everything the page shows. A change of one of them makes the page stale. */
  readonly shown: readonly string[]
  /** Time at which the readable messages change without an event, in milliseconds since 1970. */
  readonly until?: number | undefined
  /** The page's canonical path. */
  readonly path: string
  /** False keeps it out of search engines. */
  readonly isIndexed?: boolean
  /** The Link header of a feed that can be subscribed to. */
  readonly links?: string | undefined
}

export const HTML_TYPE = 'text/html; charset=utf-8'

/** Redirects to the canonical path of a page, before anything is read for it. */
export function leadTo(path: string): MadePage {
  return { type: HTML_TYPE, text: '', path, shown: [] }
}

/** Returns the id for the end of a room's messages. A new message changes only the last page, not earlier ones. */
export function endOf(roomId: string): string {
  return `${roomId} end`
}
