import type { Connection } from './connection.ts'
import { ListView, type Look } from './list-view.ts'

/** Which connections see what of the lists of a space. */
export class ListViews {
  readonly #views = new Map<string, ListView>()
  readonly #viewOf = new Map<Connection, ListView>()
  #rooms: ReadonlySet<string | null> | undefined

  get isEmpty(): boolean {
    return this.#viewOf.size === 0
  }

  all(): ListView[] {
    return [...this.#views.values()]
  }

  /** Whether somebody sees the member. */
  show(userId: string): boolean {
    for (const view of this.#views.values()) if (view.shows(userId)) return true
    return false
  }

  /** Which are looked at; null for the space itself. */
  rooms(): ReadonlySet<string | null> {
    this.#rooms ??= new Set(this.all().map(({ look }) => look.roomId))
    return this.#rooms
  }

  of(connection: Connection): ListView | undefined {
    return this.#viewOf.get(connection)
  }

  enter(connection: Connection, look: Look): ListView {
    this.leave(connection)
    const { ranges, roomId, hearsPresence, hidden } = look
    // Those to whom nobody is hidden see the same.
    const key = JSON.stringify([ranges, roomId, hearsPresence, hidden.size > 0 ? connection.id : ''])
    const view = this.#views.get(key) ?? new ListView(look)
    this.#views.set(key, view)
    view.connections.add(connection)
    this.#viewOf.set(connection, view)
    return view
  }

  leave(connection: Connection): void {
    this.#rooms = undefined
    this.#viewOf.get(connection)?.connections.delete(connection)
    this.#viewOf.delete(connection)
    for (const [key, { connections }] of this.#views) if (connections.size === 0) this.#views.delete(key)
  }
}
