import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { seededRandom } from '../apps/web/test/speech/random.ts'

/** First bytes of media and its reports (RFC 7983). Others open the connection. */
const MEDIA = { first: 128, last: 191 }

/** Passes packets between one client and a port of this machine, and loses a share of the media in both directions. */
export class LossyRelay {
  /** The port that the client must use in place of the original. */
  readonly port: number
  passed = 0
  lost = 0
  readonly #socket: Socket
  readonly #target: number
  readonly #random: () => number
  readonly #loss: number
  /** Sockets towards the target, by the address of the client. */
  readonly #behind = new Map<string, Socket>()

  /** @param loss share of the packets, from 0 to 1 */
  static async open(target: number, { loss, seed }: { loss: number; seed: number }): Promise<LossyRelay> {
    const socket = createSocket('udp4')
    socket.bind(0)
    await once(socket, 'listening')
    return new LossyRelay(socket, target, { loss, random: seededRandom(seed) })
  }

  private constructor(
    socket: Socket,
    target: number,
    { loss, random }: { loss: number; random: () => number },
  ) {
    this.port = socket.address().port
    this.#socket = socket
    this.#target = target
    this.#loss = loss
    this.#random = random
    socket.on('message', (packet, { address, port }) => {
      const behind = this.#socketOf(address, port)
      if (this.#passes(packet)) behind.send(packet, this.#target, '127.0.0.1')
    })
  }

  close(): void {
    for (const socket of [this.#socket, ...this.#behind.values()]) socket.close()
  }

  #socketOf(address: string, port: number): Socket {
    const key = `${address} ${port}`
    const known = this.#behind.get(key)
    if (known !== undefined) return known
    const socket = createSocket('udp4')
    socket.on('message', (packet) => {
      if (this.#passes(packet)) this.#socket.send(packet, port, address)
    })
    this.#behind.set(key, socket)
    return socket
  }

  #passes(packet: Buffer): boolean {
    const [first = 0] = packet
    const isMedia = first >= MEDIA.first && first <= MEDIA.last
    const isLost = isMedia && this.#random() < this.#loss
    if (isLost) this.lost += 1
    else this.passed += 1
    return !isLost
  }
}
