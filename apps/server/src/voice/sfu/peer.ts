import { randomBytes } from 'node:crypto'
import { Audio, PeerConnection, type Track } from 'node-datachannel'
import { nativeOffer, soundType } from './answer.ts'
import type { Offer } from './offer.ts'

export interface PeerListener {
  onConnected(): void
  /** Called once when the connection ends, unless `close` ended it. */
  onEnded(): void
  /** Receives every packet of SRTP or SRTCP, decrypted. */
  onPacket(received: Buffer): void
  onProblem(error: unknown): void
}

/**
 * The connection of one client: the native library's ICE, DTLS and SRTP, and one track that carries everything it
 * sends and receives.
 */
export class Peer {
  readonly ufrag = randomBytes(6).toString('hex')
  readonly password = randomBytes(18).toString('hex')
  readonly fingerprint: string
  readonly #listener: PeerListener
  readonly #connection: PeerConnection
  readonly #track: Track
  #isClosed = false

  /** @throws an error of the native library if it cannot use the offer */
  constructor(offer: Offer, port: number, listener: PeerListener) {
    this.#listener = listener
    this.#connection = new PeerConnection('client', {
      iceServers: [],
      enableIceUdpMux: true,
      portRangeBegin: port,
      portRangeEnd: port,
      disableAutoNegotiation: true,
    })
    const audio = new Audio('0', 'SendRecv')
    audio.addOpusCodec(soundType(offer))
    this.#track = this.#connection.addTrack(audio)
    try {
      this.#listen()
      this.fingerprint = this.#negotiate(offer)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * @returns whether the native library accepted the packet. If the connection is about to fail, the library throws,
   * which counts as false
   */
  send(packet: Buffer): boolean {
    if (this.#isClosed) return false
    try {
      return this.#track.sendMessageBinary(packet)
    } catch {
      return false
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // The track is closed first, because a track that outlives its connection is never freed.
    this.#track.close()
    this.#connection.close()
  }

  #listen(): void {
    this.#connection.onStateChange((state) => this.#guard(() => this.#onState(state)))
    this.#track.onMessage((received) => {
      try {
        if (!this.#isClosed) this.#listener.onPacket(received)
      } catch (error) {
        this.#listener.onProblem(error)
      }
    })
  }

  #negotiate(offer: Offer): string {
    this.#connection.setRemoteDescription(nativeOffer(offer), 'offer')
    this.#connection.setLocalDescription('answer', { iceUfrag: this.ufrag, icePwd: this.password })
    const [, fingerprint] =
      /a=fingerprint:(.+?)\r?\n/.exec(this.#connection.localDescription()?.sdp ?? '') ?? []
    if (fingerprint === undefined) throw new Error('the native library made no answer')
    return fingerprint
  }

  #onState(state: string): void {
    if (this.#isClosed) return
    if (state === 'connected') this.#listener.onConnected()
    if (state !== 'disconnected' && state !== 'failed' && state !== 'closed') return
    this.close()
    this.#listener.onEnded()
  }

  /** An exception in a callback of the native library would abort the process. */
  #guard(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#listener.onProblem(error)
    }
  }
}
