import type { Socket as UdpSocket } from 'node:dgram'
import type { Socket } from 'node:net'
import { type MappedAddress, withMappedAddress } from '../../stun/binding-answer.ts'
import {
  isSignedWith,
  lacksTieBreaker,
  readBindingRequest,
  withTieBreaker,
} from '../../stun/binding-request.ts'
import { isRtcp } from '../rtp-packet.ts'
import { FrameReader, frameOf } from './frames.ts'
import { Pace } from './pace.ts'
import type { SessionSockets } from './session-sockets.ts'

/** Credentials of our side for one client, from the answer to its offer. */
export interface IceSession {
  readonly ufrag: string
  readonly password: string
  /** ICE tie-breaker, eight bytes, for a client that sends zero. */
  readonly tieBreaker: Buffer
  readonly sockets: SessionSockets
}

export interface LinkDeps {
  /** Returns the session that a first packet names; undefined if there is none, or it has its maximum of connections. */
  find: (ufrag: string) => IceSession | undefined
  /** Called when the first packet has proven that the connection belongs to the session. */
  onProven: (session: IceSession) => void
  onDropped: () => void
  onClosed: () => void
}

/** Maximum packets read per second. A client with two pictures sends up to 2,000. Further packets wait in the network. */
const PACKETS_PER_SECOND = 3000
/** Unsent bytes beyond which media is dropped: the client's network is too slow for it, and late media is worthless. */
const MAX_UNSENT_MEDIA_BYTES = 32 * 1024
/**
 * Unsent bytes beyond which STUN, DTLS and RTCP are dropped, too. They get more room, because they keep the connection alive and
 * slow down senders.
 */
const MAX_UNSENT_BYTES = 2 * MAX_UNSENT_MEDIA_BYTES

/**
 * One TCP connection of a client (RFC 6544), relayed to the native library as UDP. Until its first packet has
 * proven that it belongs to a session, nothing is forwarded.
 */
export class TcpLink {
  readonly #socket: Socket
  readonly #deps: LinkDeps
  readonly #reader = new FrameReader()
  readonly #pace = new Pace(PACKETS_PER_SECOND, performance.now())
  #session: IceSession | undefined
  #udp: UdpSocket | undefined
  #waiting: NodeJS.Timeout | undefined
  #receivedAt = performance.now()

  constructor(socket: Socket, deps: LinkDeps) {
    this.#socket = socket
    this.#deps = deps
    socket.setNoDelay(true)
    socket.on('error', () => this.close())
    socket.on('close', () => this.#end())
    socket.on('data', (bytes: Buffer) => {
      this.#receivedAt = performance.now()
      this.#reader.add(bytes)
      this.#read()
    })
  }

  /**
   * Time of the last bytes from the client. A socket timeout cannot replace it: bytes that the server sends restart the
   * timeout.
   */
  get receivedAt(): number {
    return this.#receivedAt
  }

  /** True while the UDP socket opens. */
  get #isOpening(): boolean {
    return this.#session !== undefined && this.#udp === undefined
  }

  close(): void {
    this.#socket.destroy()
  }

  #end(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    if (this.#udp) this.#session?.sockets.giveBack(this.#udp)
    this.#udp = undefined
    this.#deps.onClosed()
  }

  /** Forwards all complete packets, as far as the pace allows. */
  #read(): void {
    while (!this.#socket.destroyed && !this.#isOpening && this.#waiting === undefined) {
      const packet = this.#reader.next()
      if (packet === 'incomplete') return void this.#socket.resume()
      if (packet === 'oversized') return this.close()
      this.#take(packet)
      this.#keepPace()
    }
  }

  /** Stops reading for a moment after too many packets, so that the client has to wait. */
  #keepPace(): void {
    const waitMs = this.#pace.count(performance.now())
    if (waitMs === 0) return
    this.#socket.pause()
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined
      this.#read()
    }, waitMs)
  }

  #take(packet: Buffer): void {
    if (this.#session === undefined) return this.#prove(packet)
    // Empty packets only keep the connection open.
    if (packet.length === 0) return
    this.#forward(packet, this.#session)
  }

  #prove(packet: Buffer): void {
    const request = readBindingRequest(packet)
    const session = request && this.#deps.find(request.ufrag)
    if (!request || !session || !isSignedWith(packet, request, session.password)) return this.close()
    this.#session = session
    this.#deps.onProven(session)
    this.#open(session, packet)
  }

  #open(session: IceSession, first: Buffer): void {
    if (this.#socket.destroyed) return
    this.#socket.pause()
    session.sockets.take((udp) => {
      if (udp === undefined) return this.close()
      const client = clientOf(this.#socket)
      if (client === undefined) {
        session.sockets.giveBack(udp)
        return this.close()
      }
      this.#udp = udp
      udp.on('error', () => this.close())
      // The library's answers contain the address of our UDP socket, which is replaced by the client's address: Firefox does not
      // use a path whose answers contain another address.
      udp.on('message', (packet) => this.#return(withMappedAddress(packet, client, session.password)))
      this.#forward(first, session)
      this.#read()
    })
  }

  #forward(packet: Buffer, session: IceSession): void {
    // Errors are ignored: the packet is lost, as it could be in the network.
    this.#udp?.send(asAccepted(packet, session), () => undefined)
  }

  #return(packet: Buffer): void {
    if (this.#socket.destroyed) return
    const most = isMedia(packet) ? MAX_UNSENT_MEDIA_BYTES : MAX_UNSENT_BYTES
    if (this.#socket.writableLength > most) return this.#deps.onDropped()
    this.#socket.write(frameOf(packet))
  }
}

/** Returns the client's address; undefined once the connection has ended. */
function clientOf({
  destroyed,
  remoteAddress: address,
  remotePort: port,
}: Socket): MappedAddress | undefined {
  return destroyed || address === undefined || port === undefined ? undefined : { address, port }
}

/** RFC 7983: the first byte distinguishes SRTP and SRTCP from STUN and DTLS. */
function isMedia(packet: Buffer): boolean {
  const first = packet[0] ?? 0
  return first >= 128 && first <= 191 && !isRtcp(packet)
}

/**
 * Adds a tie-breaker to a request that lacks it. Chromium sends zero, which the native library refuses as missing. Only
 * a request of this session is signed again.
 */
function asAccepted(packet: Buffer, session: IceSession): Buffer {
  const request = readBindingRequest(packet)
  if (request === undefined || !lacksTieBreaker(packet, request)) return packet
  return isSignedWith(packet, request, session.password) ? withTieBreaker(packet, request, session) : packet
}
