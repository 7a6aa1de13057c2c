import { LRUCache } from 'lru-cache'
import type { Freshness } from '#src/kernel/cluster/freshness.ts'
import { SETTINGS_CHANGE } from '#src/kernel/database/server-settings.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { endOf } from './making/made-page.ts'
import type { StoredPage } from './making/storing.ts'
import type { NewPage } from './page-thread.ts'

interface NewEntry extends NewPage {
  /** The number of changes counted when making the page began. */
  readonly madeAt: number
}

interface Entry extends Omit<NewEntry, 'shown'> {
  readonly shown: ReadonlySet<string>
  /** The number of the latest change that was checked. No change up to it concerns the page. */
  currentAt: number
}

/** Bytes of all kept pages together. */
const MAX_BYTES = 64 * 1024 * 1024
/** Maximum ids whose last change is known. */
const MAX_CHANGES = 100_000

/** Maximum latest changes kept in order. A check of a page compares at most this many ids. */
const MAX_RECENT = 1000

/** Id that stands for everything that any page shows. */
const ALL = 'all'

/**
 * Keeps pages until something that they show has changed. The event of a change marks the ids it concerns. A cached
 * page is sent only if none of its ids was marked since the server began to make it. A change thus affects the next request, and
 * costs nothing until then.
 */
export class PageCache {
  readonly #pages = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ page, shown }, key) =>
      512 + 2 * key.length + page.compressed.length + 80 * shown.size,
  })
  /** For each id, the number of its last change. Changes are counted from 1. */
  readonly #changed: LRUCache<string, number>
  readonly #freshness: Freshness
  readonly #recent: string[] = []
  #count = 0
  /** The highest number of a change whose id was evicted from `#changed`. */
  #forgotten = 0
  #epoch = 0

  constructor(freshness: Freshness) {
    this.#freshness = freshness
    this.#changed = new LRUCache({
      maxSize: MAX_CHANGES,
      sizeCalculation: () => 1,
      dispose: (count, _id, reason) => {
        if (reason === 'evict') this.#forgotten = Math.max(this.#forgotten, count)
      },
    })
  }

  /** Approximate size of all cached pages with their addresses. */
  get bytes(): number {
    return this.#pages.calculatedSize
  }

  receive(events: readonly Event[]): void {
    for (const event of events) for (const id of changedBy(event)) this.#mark(id)
  }

  /** Returns the number of changes so far. Call it before anything is read for a page. */
  begin(): number {
    return this.#count
  }

  find(key: string): StoredPage | undefined {
    const { isHeld, epoch } = this.#freshness
    if (epoch !== this.#epoch) this.#forget()
    this.#epoch = epoch
    const entry = isHeld ? this.#pages.get(key) : undefined
    if (entry === undefined) return undefined
    if (this.#isCurrent(entry)) return entry.page
    this.#pages.delete(key)
    return undefined
  }

  /** Returns true if the id was, or may have been, marked after this number of changes. */
  isMarked(id: string, since: number): boolean {
    return since < this.#forgotten || this.#isChanged(ALL, since) || this.#isChanged(id, since)
  }

  keep(key: string, { shown, ...entry }: NewEntry): void {
    if (!this.#freshness.isHeld) return
    this.#pages.set(key, { ...entry, shown: new Set(shown), currentAt: entry.madeAt })
  }

  #isCurrent(entry: Entry): boolean {
    if (Date.now() >= entry.until || !this.#isUnchanged(entry)) return false
    entry.currentAt = this.#count
    return true
  }

  /**
   * Returns true if no change since the last check concerns the page. A page with more than MAX_RECENT ids, such as a
   * sitemap of 49,000 people, is not compared after more than MAX_RECENT changes: it counts as changed.
   */
  #isUnchanged({ shown, currentAt }: Entry): boolean {
    const missed = this.#count - currentAt
    if (missed <= Math.min(MAX_RECENT, shown.size))
      return this.#recentSince(currentAt).every((id) => !concerns(shown, id))
    if (shown.size > MAX_RECENT || currentAt < this.#forgotten || this.#isChanged(ALL, currentAt))
      return false
    return [...shown].every((id) => !this.#isChanged(id, currentAt))
  }

  #recentSince(count: number): string[] {
    const missed = Array.from({ length: this.#count - count }, (_, index) => count + 1 + index)
    return missed.map((change) => this.#recent[change % MAX_RECENT] ?? ALL)
  }

  #isChanged(id: string, since: number): boolean {
    return (this.#changed.peek(id) ?? 0) > since
  }

  /** Drops all pages, including those that are being made, because events about them may have been missed. */
  #forget(): void {
    this.#pages.clear()
    this.#mark(ALL)
  }

  #mark(id: string): void {
    this.#count += 1
    this.#changed.set(id, this.#count)
    this.#recent[this.#count % MAX_RECENT] = id
  }
}

function concerns(shown: ReadonlySet<string>, id: string): boolean {
  return id === ALL || shown.has(id)
}

/** Events that change what a page says about a user. */
const OF_USERS = new Set(['USER_UPDATE', 'SPACE_MEMBER_UPDATE', 'SPACE_MEMBER_CREATE', 'SPACE_MEMBER_DELETE'])
/** Events that change nothing on any page. */
const IGNORED =
  /^(AUDIT_LOG|TYPING|RECORDING|VOICE|PRESENCE|MESSAGE_REACTION|MESSAGE_ACK|READ|CALL|INTERACTION|NOTIFICATION|FRIEND)/

function changedBy({ name, topic, data }: Event): string[] {
  if (name === SETTINGS_CHANGE) return [ALL]
  if (OF_USERS.has(name)) return usersIn(data)
  if (IGNORED.test(name)) return []
  const { kind, tenantId, channelId } = topic
  if (kind === 'space' || kind === 'access') return [tenantId]
  if (kind === 'thread') return name.startsWith('MESSAGE') ? [roomIn(data)] : [channelId, ...threadsIn(data)]
  if (kind !== 'room') return []
  // A change of a room also changes the pages of its space, which name the room.
  if (name.startsWith('ROOM')) return [tenantId, channelId]
  return [name === 'MESSAGE_CREATE' ? endOf(channelId) : channelId]
}

function usersIn(data: string): string[] {
  const { id, user_id }: { id?: string; user_id?: string } = JSON.parse(data)
  return [id, user_id].filter((one) => one !== undefined)
}

/** Returns the id of the thread, which its messages have as `room_id`. */
function roomIn(data: string): string {
  const { room_id }: { room_id: string } = JSON.parse(data)
  return room_id
}

function threadsIn(data: string): string[] {
  const { id, thread_id }: { id?: string; thread_id?: string } = JSON.parse(data)
  return [id, thread_id].filter((one) => one !== undefined)
}
