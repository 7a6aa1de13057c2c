import { MAX_LIST_RANGES } from '@foyer/protocol/limits'
import type { Gateway } from '@foyer/sdk/gateway'
import { type ListedMember, MemberList } from '@foyer/sdk/member-list'
import type { Store } from '#src/store/store.ts'
import { nextFrame } from '#src/ui/next-frame.ts'
import { type ListLayout, layOut, rangesFor, type Span } from './list-layout.ts'

/** Who still scrolls has not arrived; who never stops sees something now and then. A connection may send 120 commands in a minute. */
const SETTLED_MS = 150
const PATIENCE_MS = 1000
const TOP = rangesFor({ from: 0, to: 0 }, MAX_LIST_RANGES)

/** What is to be drawn of the list. Another object after each change. */
export interface ListPicture {
  readonly layout: ListLayout
  readonly onlineCount: number
  readonly memberCount: number
  /** Whether anything has come. */
  readonly isHere: boolean
  at(place: number): ListedMember | undefined
}

interface Watched {
  readonly store: Store
  readonly client: { readonly gateway: Pick<Gateway, 'on' | 'subscribe'> }
}

/** The list of the members of a space, or of a room of it, as far as it is looked at: nothing else of it is asked for. */
export class ListWatch {
  readonly #session: Watched
  readonly #spaceId: string
  readonly #list = new MemberList()
  readonly #listeners = new Set<() => void>()
  #picture: ListPicture = this.#draw()
  #roomId: string | null = null
  #isOpen = false
  #ranges: [number, number][] = []
  #wanted: [number, number][] = TOP
  #timer: ReturnType<typeof setTimeout> | undefined
  #dueAt = 0
  #isDrawnSoon = false

  constructor(session: Watched, spaceId: string) {
    this.#session = session
    this.#spaceId = spaceId
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly picture = (): ListPicture => this.#picture

  /** Has the list told from here on. @returns what ends that */
  open(): () => void {
    const { gateway } = this.#session.client
    const ends = [
      gateway.on('SPACE_MEMBER_LIST_UPDATE', (update) => {
        if (update.space_id !== this.#spaceId || update.room_id !== this.#roomId) return
        this.#list.update(update)
        this.#show()
      }),
      // Who lost the room meanwhile, and has it again, is told nothing more of it by itself.
      gateway.on('ROOM_CREATE', ({ id }) => {
        if (id === this.#roomId) this.#askAnew()
      }),
      gateway.on('PRESENCE_UPDATE', (presence) => {
        this.#list.setPresence(presence)
        this.#drawSoon()
      }),
    ]
    this.#isOpen = true
    this.#ask()
    return () => {
      for (const end of ends) end()
      this.#close()
    }
  }

  /**
   * Whose members these are.
   * @param roomId null for all of the space
   */
  turnTo(roomId: string | null): void {
    if (roomId === this.#roomId) return
    this.#roomId = roomId
    this.#wanted = TOP
    this.#askAnew()
  }

  /** These places are in view. */
  look(span: Span): void {
    const ranges = rangesFor(span, MAX_LIST_RANGES)
    if (`${ranges}` === `${this.#wanted}`) return
    const now = Date.now()
    if (`${this.#wanted}` === `${this.#ranges}`) this.#dueAt = now + PATIENCE_MS
    this.#wanted = ranges
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ask(), Math.min(SETTLED_MS, Math.max(0, this.#dueAt - now)))
  }

  #askAnew(): void {
    clearTimeout(this.#timer)
    this.#ranges = []
    this.#ask()
  }

  #ask(): void {
    if (!this.#isOpen || `${this.#wanted}` === `${this.#ranges}`) return
    this.#ranges = this.#wanted
    this.#list.look(this.#ranges, this.#roomId)
    this.#session.client.gateway.subscribe({
      space_id: this.#spaceId,
      room_id: this.#roomId,
      member_ranges: this.#ranges,
    })
    this.#show()
  }

  #close(): void {
    this.#isOpen = false
    this.#ranges = []
    clearTimeout(this.#timer)
    const { client, store } = this.#session
    store.dispatch('members_glimpsed', [])
    // Of a space that one has left nothing is told any more.
    if (this.#spaceId in store.get().spaces) client.gateway.subscribe({ space_id: this.#spaceId })
  }

  /** Of a change that comes alone, with what else comes until the next frame. */
  #drawSoon(): void {
    if (this.#isDrawnSoon) return
    this.#isDrawnSoon = true
    nextFrame(() => {
      this.#isDrawnSoon = false
      this.#tell()
    })
  }

  #show(): void {
    const presences = this.#list.listed.map(
      ({ member, presence }) =>
        presence ?? { user_id: member.user_id, status: 'offline' as const, custom: null },
    )
    this.#session.store.dispatch('members_glimpsed', presences)
    this.#tell()
  }

  #tell(): void {
    this.#picture = this.#draw()
    for (const listener of this.#listeners) listener()
  }

  #draw(): ListPicture {
    const { groups, onlineCount, memberCount } = this.#list
    return {
      layout: layOut(groups),
      onlineCount,
      memberCount,
      isHere: memberCount > 0,
      at: (place) => this.#list.at(place),
    }
  }
}
