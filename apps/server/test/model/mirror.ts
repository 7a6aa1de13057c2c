import assert from 'node:assert/strict'
import type { Events } from '@foyer/protocol/events'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Person } from '../people.ts'

const MAX_WAIT_MS = 5000

/** What a client knows of one space that does nothing but hear the gateway's events. */
export class Mirror {
  readonly person: Person
  readonly #spaceId: string
  /** Whether the space is one of the client's. */
  isIn = false
  rooms = new Map<string, Room>()
  roles = new Map<string, Role>()
  overwrites = new Map<string, Omit<RoomOverwrite, 'room_id'> & { room_id: string }>()
  ownRoles: readonly string[] = []
  ownerId = ''
  /** Contents of the messages that were heard. */
  readonly heard: string[] = []
  /** Events that told what was known, or took what was not there. */
  readonly surprises: string[] = []
  /** Texts of the marks that were heard: what came before a mark has been heard by then. */
  readonly #marks = new Set<string>()
  #wake = () => {}

  constructor(person: Person, spaceId: string) {
    this.person = person
    this.#spaceId = spaceId
    this.#listenToSpace()
    this.#listenToParts()
  }

  async connect(): Promise<void> {
    const { gateway } = this.person.client
    const ready = new Promise((resolve) => gateway.on('READY', resolve))
    gateway.connect()
    await ready
  }

  close(): void {
    this.person.client.gateway.close()
  }

  /** Resolves once the mark, and all that was told before it, is heard. */
  async reach(mark: string): Promise<void> {
    const deadline = Date.now() + MAX_WAIT_MS
    while (!this.#marks.has(mark) && Date.now() < deadline) await this.#next(deadline - Date.now())
    assert.ok(this.#marks.has(mark), `${this.person.id} heard ${mark}`)
  }

  #listenToSpace(): void {
    const { gateway } = this.person.client
    gateway.on('READY', ({ spaces }) => this.#enter(spaces.find(({ id }) => id === this.#spaceId)))
    gateway.on('SPACE_CREATE', (space) => this.#hear(space.id, () => this.#enter(space)))
    gateway.on('SPACE_DELETE', ({ space_id }) => this.#hear(space_id, () => this.#enter(undefined)))
    gateway.on('SPACE_UPDATE', (space) =>
      this.#hear(space.id, () => {
        this.ownerId = space.owner_id
        this.#reachMark(space.description)
      }),
    )
    gateway.on('USER_UPDATE', ({ id, custom }) => {
      if (id === this.person.id) this.#reachMark(custom)
    })
    gateway.on('SPACE_MEMBER_UPDATE', ({ space_id, user_id, roles }) =>
      this.#hear(space_id, () => {
        if (user_id === this.person.id) this.ownRoles = roles
      }),
    )
  }

  #listenToParts(): void {
    const { gateway } = this.person.client
    const setRole = (role: Role) => this.#hear(role.space_id, () => this.roles.set(role.id, role))
    gateway.on('SPACE_ROLE_CREATE', setRole)
    gateway.on('SPACE_ROLE_UPDATE', setRole)
    gateway.on('SPACE_ROLE_DELETE', ({ space_id, role_id }) =>
      this.#hear(space_id, () => {
        this.roles.delete(role_id)
        this.ownRoles = this.ownRoles.filter((id) => id !== role_id)
      }),
    )
    const setRoom = (room: Room, isNew: boolean) =>
      this.#hear(room.space_id, () => {
        if (this.rooms.has(room.id) === isNew) this.surprises.push(`room ${room.id}, new: ${isNew}`)
        this.rooms.set(room.id, room)
      })
    gateway.on('ROOM_CREATE', (room) => setRoom(room, true))
    gateway.on('ROOM_UPDATE', (room) => setRoom(room, false))
    gateway.on('ROOM_DELETE', ({ space_id, room_id }) =>
      this.#hear(space_id, () => {
        if (!this.rooms.delete(room_id)) this.surprises.push(`ROOM_DELETE ${room_id}`)
        for (const [key, overwrite] of this.overwrites)
          if (overwrite.room_id === room_id) this.overwrites.delete(key)
      }),
    )
    gateway.on('ROOM_OVERWRITE_UPDATE', (overwrite) =>
      this.#hear(overwrite.space_id, () => this.#setOverwrite(overwrite)),
    )
    gateway.on('ROOM_OVERWRITE_DELETE', ({ space_id, room_id, target_id }) =>
      this.#hear(space_id, () => this.overwrites.delete(`${room_id} ${target_id}`)),
    )
    gateway.on('MESSAGE_CREATE', (message) => {
      if (message.space_id === this.#spaceId) this.heard.push(message.content)
    })
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
