import type { Connection } from '../connections/connection.ts'
import { type ListRequest, ListView } from './list-view.ts'

/** The views of a space's lists, and the connections of each. */
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

  /** True if the member is visible in any view. */
  show(userId: string): boolean {
    for (const view of this.#views.values()) if (view.shows(userId)) return true
    return false
  }

  /** Returns the rooms whose lists are viewed; null stands for the space itself. */
  rooms(): ReadonlySet<string | null> {
    this.#rooms ??= new Set(this.all().map(({ request }) => request.roomId))
    return this.#rooms
  }

  of(connection: Connection): ListView | undefined {
    return this.#viewOf.get(connection)
  }

  enter(connection: Connection, request: ListRequest): ListView {
    this.leave(connection)
    const { ranges, roomId, wantsPresence, hidden } = request
    // Connections with no hidden users share a view.
    const key = JSON.stringify([ranges, roomId, wantsPresence, hidden.size > 0 ? connection.id : ''])
    const view = this.#views.get(key) ?? new ListView(request)
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
