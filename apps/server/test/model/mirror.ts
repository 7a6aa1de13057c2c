import assert from 'node:assert/strict'
import type { Events } from '@foyer/protocol/events'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Subscribers } from '@foyer/sdk/subscribers'

const MAX_WAIT_MS = 30_000

/** Source of gateway events. */
export type EventFeed = Pick<Subscribers, 'on'>

/** A space as a client knows it from gateway events alone. */
export class Mirror {
  readonly userId: string
  /** True for a client that asked for threads and forums. */
  readonly isAsking: boolean
  readonly #spaceId: string
  /** True while the user is a member of the space. */
  isIn = false
  rooms = new Map<string, Room>()
  roles = new Map<string, Role>()
  overwrites = new Map<string, Omit<RoomOverwrite, 'room_id'> & { room_id: string }>()
  ownRoles: readonly string[] = []
  ownerId = ''
  /** Contents of the messages received. */
  readonly heard: string[] = []
  /** Unexpected events: a known room was created, or an unknown one was updated or deleted. */
  readonly surprises: string[] = []
  /** True after a resume, when events may repeat. */
  isCatchingUp = false
  /** Texts of the marks received. Everything sent before a mark has been received by then. */
  readonly #marks = new Set<string>()
  #wake = () => {}

  constructor(userId: string, feed: EventFeed, spaceId: string, isAsking = false) {
    this.userId = userId
    this.isAsking = isAsking
    this.#spaceId = spaceId
    this.#listenToSpace(feed)
    this.#listenToParts(feed)
  }

  /** Resolves once the mark, and every event sent before it, has been received. */
  async reach(mark: string): Promise<void> {
    const deadline = Date.now() + MAX_WAIT_MS
    while (!this.#marks.has(mark) && Date.now() < deadline) await this.#next(deadline - Date.now())
    assert.ok(this.#marks.has(mark), `${this.userId} heard ${mark}`)
    this.isCatchingUp = false
  }

  #listenToSpace(feed: EventFeed): void {
    feed.on('READY', ({ spaces }) => this.#enter(spaces.find(({ id }) => id === this.#spaceId)))
    feed.on('SPACE_CREATE', (space) => this.#hear(space.id, () => this.#enter(space)))
    feed.on('SPACE_DELETE', ({ space_id }) => this.#hear(space_id, () => this.#enter(undefined)))
    feed.on('SPACE_UPDATE', (space) =>
      this.#hear(space.id, () => {
        this.ownerId = space.owner_id
        this.#reachMark(space.description)
      }),
    )
    feed.on('USER_UPDATE', ({ id, custom }) => {
      if (id === this.userId) this.#reachMark(custom)
    })
    feed.on('SPACE_MEMBER_UPDATE', ({ space_id, user_id, roles }) =>
      this.#hear(space_id, () => {
        if (user_id === this.userId) this.ownRoles = roles
      }),
    )
  }

  #listenToParts(feed: EventFeed): void {
    const setRole = (role: Role) => this.#hear(role.space_id, () => this.roles.set(role.id, role))
    feed.on('SPACE_ROLE_CREATE', setRole)
    feed.on('SPACE_ROLE_UPDATE', setRole)
    feed.on('SPACE_ROLE_DELETE', ({ space_id, role_id }) =>
      this.#hear(space_id, () => {
        this.roles.delete(role_id)
        this.ownRoles = this.ownRoles.filter((id) => id !== role_id)
      }),
    )
    const setRoom = (room: Room, isNew: boolean) =>
      this.#hear(room.space_id, () => {
        if (this.rooms.has(room.id) === isNew) this.#wonder(`room ${room.id}, new: ${isNew}`)
        this.rooms.set(room.id, room)
      })
    feed.on('ROOM_CREATE', (room) => setRoom(room, true))
    feed.on('ROOM_UPDATE', (room) => setRoom(room, false))
    feed.on('ROOM_DELETE', ({ space_id, room_id }) =>
      this.#hear(space_id, () => {
        if (!this.rooms.delete(room_id)) this.#wonder(`ROOM_DELETE ${room_id}`)
        for (const [key, overwrite] of this.overwrites)
          if (overwrite.room_id === room_id) this.overwrites.delete(key)
      }),
    )
    feed.on('ROOM_OVERWRITE_UPDATE', (overwrite) =>
      this.#hear(overwrite.space_id, () => this.#setOverwrite(overwrite)),
    )
    feed.on('ROOM_OVERWRITE_DELETE', ({ space_id, room_id, target_id }) =>
      this.#hear(space_id, () => this.overwrites.delete(`${room_id} ${target_id}`)),
    )
    feed.on('MESSAGE_CREATE', (message) => {
      if (message.space_id === this.#spaceId) this.heard.push(message.content)
    })
  }

  #wonder(what: string): void {
    if (!this.isCatchingUp) this.surprises.push(what)
  }

  #hear(spaceId: string, change: () => unknown): void {
    if (spaceId === this.#spaceId) change()
  }

  #enter(space: SpaceState | undefined): void {
    this.isIn = space !== undefined
    this.rooms = new Map(space?.rooms.map((room) => [room.id, room]))
    this.roles = new Map(space?.roles.map((role) => [role.id, role]))
    this.overwrites = new Map()
    for (const overwrite of space?.overwrites ?? []) this.#setOverwrite(overwrite)
    this.ownRoles = space?.member.roles ?? []
    this.ownerId = space?.owner_id ?? ''
  }

  #setOverwrite(overwrite: Omit<Events['ROOM_OVERWRITE_UPDATE'], 'space_id'>): void {
    this.overwrites.set(`${overwrite.room_id} ${overwrite.target_id}`, overwrite)
  }

  #reachMark(mark: string | null): void {
    this.#marks.add(mark ?? '')
    this.#wake()
  }

  #next(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
