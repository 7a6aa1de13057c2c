import { MAX_LIST_RANGES, MAX_SEEN_LISTS } from '@foyer/protocol/limits'
import type { Subscribe } from '@foyer/protocol/members'
import type { ChosenStatus, UpdatePresence } from '@foyer/protocol/presence'

type Range = NonNullable<Subscribe['member_ranges']>[number]

/** As the server weighs the choices of a user's connections. */
const PRECEDENCE: readonly ChosenStatus[] = ['invisible', 'dnd', 'online', 'idle']

/** How the user is seen where these are what their tabs say. */
export function combine(presences: Iterable<UpdatePresence>): UpdatePresence | undefined {
  const [first] = [...presences].sort((a, b) => PRECEDENCE.indexOf(a.status) - PRECEDENCE.indexOf(b.status))
  return first
}

/** What all tabs ask to hear, as the one subscription that a connection has for each space. */
export class Subscriptions {
  /** By link; who asked last comes last. */
  readonly #asked = new Map<string, Map<string, Subscribe>>()
  /** By space, in the order in which they were asked for last. */
  readonly #told = new Map<string, string>()
  readonly #tell: (subscription: Subscribe) => void

  constructor(tell: (subscription: Subscribe) => void) {
    this.#tell = tell
  }

  /** Somebody hears with all others from now on, and has asked for nothing yet. */
  join(link: string): void {
    this.#asked.set(link, new Map())
  }

  leave(link: string): void {
    const spaces = this.#asked.get(link)?.keys() ?? []
    this.#asked.delete(link)
    for (const spaceId of spaces) this.#update(spaceId)
  }

  /** The connection is another one: the server knows nothing of what was asked. */
  forgetTold(): void {
    this.#told.clear()
  }

  /** The server tells the whole list once more: whoever asks for what others see already has seen nothing of it. */
  ask(link: string, subscription: Subscribe): void {
    const own = this.#asked.get(link) ?? new Map<string, Subscribe>()
    this.#asked.delete(link)
    this.#asked.set(link, own.set(subscription.space_id, subscription))
    if (rangesOf(subscription).length > 0) this.#told.delete(subscription.space_id)
    this.#update(subscription.space_id)
    this.#hideBeyond()
  }

  /** Somebody looks at this tab: where not all fits, what it shows comes first. */
  prefer(link: string): void {
    for (const subscription of [...(this.#asked.get(link)?.values() ?? [])]) {
      const wasTold = this.#told.get(subscription.space_id)
      const parts = [roomOf(subscription), ...rangesOf(subscription)]
      const isPartOf = parts.every((part) => wasTold?.includes(JSON.stringify(part)))
      if (!isPartOf) this.ask(link, subscription)
    }
  }

  #update(spaceId: string): void {
    const merged = this.#mergedFor(spaceId)
    const text = JSON.stringify(merged)
    if (this.#told.get(spaceId) === text || (!this.#told.has(spaceId) && isUsual(merged))) return
    this.#told.delete(spaceId)
    if (!isUsual(merged)) this.#told.set(spaceId, text)
    this.#tell(merged)
  }

  #mergedFor(spaceId: string): Subscribe {
    const all = [...this.#asked.values()].reverse()
    const asked = all.flatMap((own) => own.get(spaceId) ?? [])
    // A connection sees one list of a space: that of who asked last.
    const room_id = roomOf(asked.find((one) => rangesOf(one).length > 0))
    const ranges = new Map<string, Range>()
    for (const range of asked.filter((one) => roomOf(one) === room_id).flatMap(rangesOf))
      ranges.set(JSON.stringify(range), range)
    return {
      space_id: spaceId,
      room_id,
      member_ranges: [...ranges.values()].slice(0, MAX_LIST_RANGES),
      presence: asked.some((one) => rangesOf(one).length > 0 && one.presence !== false),
      typing: all.some((own) => own.get(spaceId)?.typing !== false),
    }
  }

  /** The server shows one connection only so many lists: those that were asked for longest ago are not kept up. */
  #hideBeyond(): void {
    const [oldest] = this.#told.keys()
    if (this.#told.size <= MAX_SEEN_LISTS || oldest === undefined) return
    this.#told.delete(oldest)
    this.#tell({ space_id: oldest, member_ranges: [] })
  }
}

function rangesOf({ member_ranges }: Subscribe): Range[] {
  return member_ranges ?? []
}

function roomOf(subscription: Subscribe | undefined): string | null {
  return subscription?.room_id ?? null
}

/** What the server does for a connection that asks for nothing; without ranges presence means nothing. */
function isUsual(merged: Subscribe): boolean {
  return rangesOf(merged).length === 0 && merged.typing !== false
}
