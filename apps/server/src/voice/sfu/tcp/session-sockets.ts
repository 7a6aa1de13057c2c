import { createSocket, type Socket as UdpSocket } from 'node:dgram'

const LOOPBACK = '127.0.0.1'

export interface SocketTarget {
  readonly port: number
  readonly address?: string
}

/**
 * UDP sockets of one session, connected to the native library. The library assigns a port to the first session that uses it,
 * and remembers few addresses for each session. So a socket is reused within its session, and never by another session.
 */
export class SessionSockets {
  readonly #target: SocketTarget
  readonly #max: number
  readonly #idle: UdpSocket[] = []
  #open = 0
  #isClosed = false

  constructor(target: SocketTarget, max: number) {
    this.#target = target
    this.#max = max
  }

  /**
   * Calls `onTaken` exactly once, asynchronously: with an idle or new socket, or with undefined on failure or at the maximum of
   * sockets.
   */
  take(onTaken: (socket: UdpSocket | undefined) => void): void {
    const idle = this.#idle.pop()
    if (idle !== undefined) return process.nextTick(onTaken, idle)
    if (this.#isClosed || this.#open >= this.#max) return process.nextTick(onTaken, undefined)
    this.#connect(onTaken)
  }

  /** Keeps the socket for reuse. While idle, it drops packets, and ignores errors, which would end the process. */
  giveBack(socket: UdpSocket): void {
    socket.removeAllListeners('message').removeAllListeners('error')
    socket.on('error', () => undefined)
    if (this.#isClosed) return void socket.close()
    this.#idle.push(socket)
  }

  /** Closes idle sockets now, and sockets in use when they are given back. */
  close(): void {
    this.#isClosed = true
    for (const socket of this.#idle.splice(0)) socket.close()
  }

  #connect(onTaken: (socket: UdpSocket | undefined) => void): void {
    const socket = createSocket('udp4').unref()
    this.#open += 1
    const fail = () => {
      socket.removeAllListeners('error').on('error', () => undefined)
      socket.close()
      this.#open -= 1
      onTaken(undefined)
    }
    // Errors of bind reach this listener, and errors of connect reach the callback.
    socket.once('error', fail)
    socket.connect(this.#target.port, this.#target.address ?? LOOPBACK, (error?: Error) => {
      if (error !== undefined) return fail()
      socket.removeListener('error', fail)
      onTaken(socket)
    })
  }
}
