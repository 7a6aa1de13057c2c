import { MAX_LIST_RANGES } from '@foyer/protocol/limits'
import type { Gateway } from '@foyer/sdk/gateway'
import { type ListedMember, MemberList } from '@foyer/sdk/member-list'
import type { Store } from '#src/store/store.ts'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { type ListLayout, layOut, rangesFor, type Span } from './list-layout.ts'

/** Pause in scrolling before rows are requested: a connection may send 120 commands per minute. */
const SETTLED_MS = 150
/** Time after which rows are requested even while scrolling. */
const PATIENCE_MS = 1000
const TOP = rangesFor({ from: 0, to: 0 }, MAX_LIST_RANGES)

/** A state of the list for rendering. Every change creates a new object. */
export interface ListPicture {
  readonly layout: ListLayout
  readonly onlineCount: number
  readonly memberCount: number
  /** True once the list has arrived. */
  readonly isHere: boolean
  at(index: number): ListedMember | undefined
}

interface Watched {
  readonly store: Store
  readonly client: { readonly gateway: Pick<Gateway, 'on' | 'subscribe'> }
}

/** The member list of a space or room. Only the visible part of it is requested. */
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

  /** Subscribes to the list. @returns a function that unsubscribes */
  open(): () => void {
    const { gateway } = this.#session.client
    const ends = [
      gateway.on('SPACE_MEMBER_LIST_UPDATE', (update) => {
        if (update.space_id !== this.#spaceId || update.room_id !== this.#roomId) return
        this.#list.update(update)
        this.#show()
      }),
      // The server ends the subscription when the user loses the room, and does not restore it.
      gateway.on('ROOM_CREATE', ({ id }) => {
        if (id === this.#roomId) this.#requestAgain()
      }),
      gateway.on('PRESENCE_UPDATE', (presence) => {
        this.#list.setPresence(presence)
        this.#drawSoon()
      }),
    ]
    this.#isOpen = true
    this.#request()
    return () => {
      for (const end of ends) end()
      this.#close()
    }
  }

  /**
   * Switches to the list of a room.
   * @param roomId null for the whole space
   */
  turnTo(roomId: string | null): void {
    if (roomId === this.#roomId) return
    this.#roomId = roomId
    this.#wanted = TOP
    this.#requestAgain()
  }

  /** Requests the rows in view. */
  look(span: Span): void {
    const ranges = rangesFor(span, MAX_LIST_RANGES)
    if (`${ranges}` === `${this.#wanted}`) return
    const now = Date.now()
    if (`${this.#wanted}` === `${this.#ranges}`) this.#dueAt = now + PATIENCE_MS
    this.#wanted = ranges
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#request(), Math.min(SETTLED_MS, Math.max(0, this.#dueAt - now)))
  }

  #requestAgain(): void {
    clearTimeout(this.#timer)
    this.#ranges = []
    this.#request()
  }

  #request(): void {
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
    // A space the user left has no subscription to end.
    if (this.#spaceId in store.get().spaces) client.gateway.subscribe({ space_id: this.#spaceId })
  }

  /** Coalesces changes until the next frame. */
  #drawSoon(): void {
    if (this.#isDrawnSoon) return
    this.#isDrawnSoon = true
    nextFrame(() => {
      this.#isDrawnSoon = false
      this.#notify()
    })
  }

  #show(): void {
    const presences = this.#list.listed.map(
      ({ member, presence }) =>
        presence ?? { user_id: member.user_id, status: 'offline' as const, custom: null },
    )
    this.#session.store.dispatch('members_glimpsed', presences)
    this.#notify()
  }

  #notify(): void {
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
      at: (index) => this.#list.at(index),
    }
  }
}
