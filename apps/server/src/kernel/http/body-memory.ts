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

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.#rooms.known.heldBytes + this.#rooms.stranger.heldBytes
  }

  open(request: FastifyRequest): HeldBody {
    const isKnown = request.authenticated !== undefined || request.provenId !== undefined
    return new HeldBody(this.#rooms[isKnown ? 'known' : 'stranger'], senderOf(request))
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
  #bytes = 0

  constructor(room: Room, sender: string) {
    this.#room = room
    this.#sender = sender
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

  release(): void {
    this.#room.add(this.#sender, -this.#bytes)
    this.#bytes = 0
  }
}
