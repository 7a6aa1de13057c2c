import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { networkOf } from './rate-limiting.ts'

const MIB = 1024 * 1024
/** A body up to this size is read whatever else is being read: no flood of long ones keeps people from talking. */
export const SHORT_BODY_BYTES = 64 * 1024

/** Memory for the bodies of senders with a credential, and for those of strangers, who get no part of the former. */
const ROOMS = {
  known: { maxBytes: 192 * MIB, maxBytesOfOne: 2 * MAX_BODY_BYTES },
  stranger: { maxBytes: 2 * MAX_BODY_BYTES, maxBytesOfOne: MAX_BODY_BYTES },
} as const

/** A longer body of a stranger is held back, so that bodies which nobody may finish do not take the event loop. */
const FREE_BYTES = MIB
/** Bytes in a millisecond for the long bodies of all strangers together: 32 MiB in a second. */
const STRANGERS_PACE = (32 * MIB) / 1000

type RoomName = keyof typeof ROOMS

declare module 'fastify' {
  interface FastifyInstance {
    bodyMemory: BodyMemory
  }

  interface FastifyRequest {
    /** The webhook or interaction whose token the request has proven. Undefined until a handler has checked it. */
    provenId: string | undefined
  }
}

/**
 * Returns the account, the webhook or else the network that a request comes from: each has its own share of what is scarce. A
 * connection that is gone has no address.
 */
export function senderOf({ authenticated, provenId, ip }: FastifyRequest): string {
  return authenticated?.user.id ?? provenId ?? networkOf(`${ip}`)
}

/** The memory of one server for the bodies that it is reading. */
export class BodyMemory {
  readonly #rooms = { known: new Room('known'), stranger: new Room('stranger') }
  readonly #strangersPace = new Pace()

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.#rooms.known.heldBytes + this.#rooms.stranger.heldBytes
  }

  open(request: FastifyRequest): HeldBody {
    const isKnown = request.authenticated !== undefined || request.provenId !== undefined
    const pace = isKnown ? undefined : this.#strangersPace
    return new HeldBody(this.#rooms[isKnown ? 'known' : 'stranger'], senderOf(request), pace)
  }
}

/** One line for all bytes that are held back. */
class Pace {
  #freeAt = 0

  /** Returns how many milliseconds these bytes, which have arrived, keep the next ones waiting. */
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

/** The part of the memory that one body takes. */
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

  /** @returns false when a long body has no room */
  grow(bytes: number): boolean {
    this.#bytes += bytes
    this.#room.add(this.#sender, bytes)
    return this.#bytes <= SHORT_BODY_BYTES || !this.#room.isFullFor(this.#sender)
  }

  /** Returns for how many milliseconds the body is held back after these bytes, whether they were kept or thrown away. */
  holdBack(bytes: number): number {
    this.#arrivedBytes += bytes
    return this.#arrivedBytes > FREE_BYTES ? (this.#pace?.take(bytes) ?? 0) : 0
  }

  release(): void {
    this.#room.add(this.#sender, -this.#bytes)
    this.#bytes = 0
  }
}
