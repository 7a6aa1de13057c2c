import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { SessionSockets } from './session-sockets.ts'
import { type StrangerLimits, Strangers } from './strangers.ts'
import { type IceSession, TcpLink } from './tcp-link.ts'

/** Limits of the connections of one port. */
export interface TcpLimits extends StrangerLimits {
  readonly all: number
  /**
   * Maximum connections of one session. A client opens one for each pair of its addresses and ours. The native library
   * keeps about ten addresses of a session, including those of UDP, so this must stay well below ten.
   */
  readonly ofSession: number
  /** Time after which the native library has forgotten the addresses of a session that ended. */
  readonly forgottenMs: number
  /** Time without packets after which a connection is closed. ICE checks every path in use more often. */
  readonly silenceMs: number
}

const LIMITS: TcpLimits = {
  all: 2048,
  ofSession: 4,
  unproven: 256,
  unprovenOfNetwork: 64,
  firstPacketMs: 5000,
  forgottenMs: 5000,
  silenceMs: 60_000,
}

interface KnownSession extends IceSession {
  readonly links: Set<TcpLink>
}

/** TCP port for clients whose networks forbid UDP. Each connection is forwarded to the UDP port of this process. */
export class TcpPort {
  readonly #server: Server
  readonly #udpPort: number
  readonly #limits: TcpLimits
  readonly #sessions = new Map<string, KnownSession>()
  /** All connections. The session is undefined until the connection has proven that it belongs to one. */
  readonly #links = new Map<TcpLink, KnownSession | undefined>()
  readonly #strangers: Strangers<TcpLink>
  readonly #listening: NodeJS.Timeout
  #dropped = 0

  /**
   * @param port 0 takes a free one
   * @throws if the port is in use
   */
  static async open(port: number, udpPort: number, limits: Partial<TcpLimits> = {}): Promise<TcpPort> {
    const server = createServer()
    server.listen(port)
    await once(server, 'listening')
    return new TcpPort(server, udpPort, { ...LIMITS, ...limits })
  }

  private constructor(server: Server, udpPort: number, limits: TcpLimits) {
    this.#server = server
    this.#udpPort = udpPort
    this.#limits = limits
    this.#strangers = new Strangers(limits, (link) => this.#links.delete(link))
    server.on('connection', (socket) => this.#accept(socket))
    this.#listening = setInterval(() => this.#closeSilent(), limits.silenceMs / 6).unref()
    // An error such as too many open files concerns one connection. The port stays open.
    server.on('error', () => undefined)
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  get connections(): number {
    return this.#links.size
  }

  /** Packets dropped because the networks of their receivers were too slow for them. */
  get dropped(): number {
    return this.#dropped
  }

  /** Accepts connections that prove with the password that they belong to this session. */
  admit(ufrag: string, password: string): void {
    const sockets = new SessionSockets({ port: this.#udpPort }, this.#limits.ofSession)
    this.#sessions.set(ufrag, { ufrag, password, tieBreaker: randomBytes(8), sockets, links: new Set() })
  }

  /** Ends the connections of a session. */
  dismiss(ufrag: string): void {
    const session = this.#sessions.get(ufrag)
    if (session === undefined) return
    this.#sessions.delete(ufrag)
    for (const link of session.links) link.close()
    // The sockets are closed later: until the library forgets their ports, another session on one of them would be mistaken for
    // this session.
    setTimeout(() => session.sockets.close(), this.#limits.forgottenMs).unref()
  }

  close(): void {
    clearInterval(this.#listening)
    this.#server.close()
    for (const link of this.#links.keys()) link.close()
    for (const { sockets } of this.#sessions.values()) sockets.close()
  }

  #closeSilent(): void {
    const nowMs = performance.now()
    for (const link of this.#links.keys()) if (nowMs - link.receivedAt > this.#limits.silenceMs) link.close()
  }

  #accept(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '')
    const isFull = this.#links.size >= this.#limits.all
    if (isFull || !this.#strangers.admits(network)) return void socket.destroy()
    const link: TcpLink = new TcpLink(socket, {
      find: (ufrag) => this.#freeSession(ufrag),
      onProven: ({ ufrag }) => this.#bind(link, ufrag),
      onDropped: () => {
        this.#dropped += 1
      },
      onClosed: () => this.#forget(link),
    })
    this.#links.set(link, undefined)
    this.#strangers.add(link, network)
  }

  /** @returns undefined if the session is unknown, or has as many connections as it may */
  #freeSession(ufrag: string): KnownSession | undefined {
    const session = this.#sessions.get(ufrag)
    return session !== undefined && session.links.size < this.#limits.ofSession ? session : undefined
  }

  #bind(link: TcpLink, ufrag: string): void {
    const session = this.#sessions.get(ufrag)
    session?.links.add(link)
    this.#links.set(link, session)
    this.#strangers.settle(link)
  }

  #forget(link: TcpLink): void {
    this.#strangers.end(link)
    this.#links.get(link)?.links.delete(link)
    this.#links.delete(link)
  }
}
