import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../network-of.ts'

const MIB = 1024 * 1024
/**
 * Bodies up to this size are always read, so that a flood of long bodies does not stop people from sending messages.
 */
export const SHORT_BODY_BYTES = 64 * 1024

/** Memory for bodies of senders with a credential, and a separate share for strangers. */
const ROOMS = {
  known: { maxBytes: 192 * MIB, maxBytesOfOne: 2 * MAX_BODY_BYTES },
  stranger: { maxBytes: 2 * MAX_BODY_BYTES, maxBytesOfOne: MAX_BODY_BYTES },
} as const

/** Strangers' bodies longer than this are slowed down, so that unfinished uploads do not occupy the event loop. */
const FREE_BYTES = 256 * 1024
/**
 * Bytes per millisecond for long bodies of all strangers together: 8 MiB a second. At 32 MiB, the garbage collector
 * ran twice a second to free their buffers, for 10 ms and more.
 */
const STRANGERS_PACE = (8 * MIB) / 1000

type RoomName = keyof typeof ROOMS

declare module 'fastify' {
  interface FastifyInstance {
    bodyMemory: BodyMemory
  }

  interface FastifyRequest {
    /** The webhook or interaction whose token was verified. Undefined until a handler has done so. */
    provenId: string | undefined
  }
}

/**
 * Returns the account, the webhook or else the network of a request. Each has its own share of scarce resources. A
 * closed connection has no address.
 */
export function senderOf({ authenticated, provenId, ip }: FastifyRequest): string {
  return authenticated?.user.id ?? provenId ?? networkOf(`${ip}`)
}

/** Memory of one server for the bodies it is reading. */
export class BodyMemory {
  readonly #rooms = { known: new Room('known'), stranger: new Room('stranger') }
  readonly #strangersPace = new Pace()

  /** Bytes currently held. */
  get heldBytes(): number {
    return this.#rooms.known.heldBytes + this.#rooms.stranger.heldBytes
  }

  open(request: FastifyRequest): HeldBody {
    const isKnown = request.authenticated !== undefined || request.provenId !== undefined
    const pace = isKnown ? undefined : this.#strangersPace
    return new HeldBody(this.#rooms[isKnown ? 'known' : 'stranger'], senderOf(request), pace)
  }
}

/** Limits the rate of all slowed-down bodies together. */
class Pace {
  #freeAt = 0

  /** Returns the milliseconds that these received bytes delay the next ones. */
  take(bytes: number): number {
    const now = performance.now()
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / STRANGERS_PACE
    return this.#freeAt - now
  }
}

class Room {
  heldBytes = 0
  readonly #bounds: (typeof ROOMS)[RoomName]
  readonly #bySender = new Map<string, number>()

  constructor(name: RoomName) {
    this.#bounds = ROOMS[name]
  }

  add(sender: string, bytes: number): void {
    this.heldBytes += bytes
    const own = (this.#bySender.get(sender) ?? 0) + bytes
    if (own === 0) this.#bySender.delete(sender)
    else this.#bySender.set(sender, own)
  }

  isFullFor(sender: string): boolean {
    const own = this.#bySender.get(sender) ?? 0
    return this.heldBytes > this.#bounds.maxBytes || own > this.#bounds.maxBytesOfOne
  }
}

/** The memory of one body. */
class HeldBody {
  readonly #room: Room
  readonly #sender: string
  readonly #pace: Pace | undefined
  #bytes = 0
  #arrivedBytes = 0

  constructor(room: Room, sender: string, pace: Pace | undefined) {
    this.#room = room
    this.#sender = sender
    this.#pace = pace
  }

  get bytes(): number {
    return this.#bytes
  }

  /** @returns false if there is no memory for a long body */
  grow(bytes: number): boolean {
    this.#bytes += bytes
    this.#room.add(this.#sender, bytes)
    return this.#bytes <= SHORT_BODY_BYTES || !this.#room.isFullFor(this.#sender)
  }

  /** Counts these bytes, kept or discarded, and returns the milliseconds to wait before reading on. */
  holdBack(bytes: number): number {
    this.#arrivedBytes += bytes
    return this.#arrivedBytes > FREE_BYTES ? (this.#pace?.take(bytes) ?? 0) : 0
  }

  release(): void {
    this.#room.add(this.#sender, -this.#bytes)
    this.#bytes = 0
  }
}
