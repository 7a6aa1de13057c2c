import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { seededRandom } from '../apps/web/test/speech/random.ts'

/** Range of the first byte of RTP and RTCP packets (RFC 7983). Other packets set up the connection, and are never dropped. */
const MEDIA = { first: 128, last: 191 }

interface RelayOptions {
  /** Share of the media packets to drop, from 0 to 1. */
  readonly loss: number
  readonly seed: number
  /** Returns the delay of a packet from the client, in milliseconds. */
  readonly delayOf?: (packet: Buffer) => number
}

/**
 * Forwards packets between one client and a port of this machine. Drops a share of the media in both directions, or delays the
 * client's packets.
 */
export class LossyRelay {
  /** The port that the client must use in place of the original. */
  readonly port: number
  passed = 0
  lost = 0
  /** Bytes that reached the relay in both directions, including packets that it dropped. */
  bytes = 0
  /** Share of the media packets to drop from now on, from 0 to 1. */
  loss: number
  readonly #socket: Socket
  readonly #target: number
  readonly #random: () => number
  readonly #delayOf: (packet: Buffer) => number
  /** Sockets towards the target, by the address of the client. */
  readonly #behind = new Map<string, Socket>()
  readonly #waiting = new Set<NodeJS.Timeout>()

  static async open(target: number, options: RelayOptions): Promise<LossyRelay> {
    const socket = createSocket('udp4')
    socket.bind(0)
    await once(socket, 'listening')
    return new LossyRelay(socket, target, options)
  }

  private constructor(socket: Socket, target: number, { loss, seed, delayOf = () => 0 }: RelayOptions) {
    this.port = socket.address().port
    this.#socket = socket
    this.#target = target
    this.loss = loss
    this.#random = seededRandom(seed)
    this.#delayOf = delayOf
    socket.on('message', (packet, { address, port }) => {
      const behind = this.#socketOf(address, port)
      this.bytes += packet.length
      if (this.#passes(packet)) this.#sendTo(behind, packet)
    })
  }

  close(): void {
    for (const timer of this.#waiting) clearTimeout(timer)
    for (const socket of [this.#socket, ...this.#behind.values()]) socket.close()
  }

  #socketOf(address: string, port: number): Socket {
    const key = `${address} ${port}`
    const known = this.#behind.get(key)
    if (known !== undefined) return known
    const socket = createSocket('udp4')
    socket.on('message', (packet) => {
      this.bytes += packet.length
      if (this.#passes(packet)) this.#socket.send(packet, port, address)
    })
    this.#behind.set(key, socket)
    return socket
  }

  #sendTo(behind: Socket, packet: Buffer): void {
    const send = () => behind.send(packet, this.#target, '127.0.0.1')
    const delayMs = this.#delayOf(packet)
    if (delayMs === 0) return send()
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      send()
    }, delayMs)
    this.#waiting.add(timer)
  }

  #passes(packet: Buffer): boolean {
    const [first = 0] = packet
    const isMedia = first >= MEDIA.first && first <= MEDIA.last
    const isLost = isMedia && this.#random() < this.loss
    if (isLost) this.lost += 1
    else this.passed += 1
    return !isLost
  }
}
