import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { frameOf } from '#src/voice/sfu/tcp/frames.ts'
import { type TcpLimits, TcpPort } from '#src/voice/sfu/tcp/tcp-port.ts'
import { Attribute, encodeStun, StunType } from '#src/voice/stun/stun.ts'
import { until } from '../until.ts'

export const UFRAG = 'c0ffee'
export const PASSWORD = 'the password of the answer'

/** A TCP port that admits one session, with its clients. */
export class TcpStage {
  readonly received: { packet: Buffer; from: RemoteInfo }[] = []
  /** UDP socket in place of the native library. */
  readonly media: UdpSocket
  readonly port: TcpPort
  readonly #clients: Socket[] = []

  static async open(limits: Partial<TcpLimits> = {}): Promise<TcpStage> {
    const media = createSocket('udp4').bind(0, '127.0.0.1')
    await once(media, 'listening')
    const port = await TcpPort.open(0, media.address().port, limits)
    port.admit(UFRAG, PASSWORD)
    return new TcpStage(media, port)
  }

  private constructor(media: UdpSocket, port: TcpPort) {
    this.media = media
    this.port = port
    media.on('message', (packet, from) => void this.received.push({ packet, from }))
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) client.destroy()
    this.port.close()
    this.media.close()
  }

  async dial(): Promise<Socket> {
    const client = connect(this.port.port, '127.0.0.1')
    this.#clients.push(client)
    client.on('error', () => undefined)
    await once(client, 'connect')
    return client
  }

  /** Connects, and sends a signed binding request, which proves that the client belongs to the session. */
  async enter(): Promise<Socket> {
    const client = await this.dial()
    const before = this.received.length
    client.write(frameOf(request()))
    await until(async () => this.received.length > before, 'its first packet is forwarded')
    return client
  }

  async isRefused(client: Socket): Promise<void> {
    await ends(client)
    assert.deepEqual(this.received, [])
  }
}

export function request({ ufrag = UFRAG, password = PASSWORD, tieBreaker = randomBytes(8) } = {}): Buffer {
  return encodeStun(
    StunType.binding,
    [
      [Attribute.username, Buffer.from(`${ufrag}:theirs`)],
      [Attribute.iceControlling, tieBreaker],
    ],
    password,
  )
}

/** Waits until the client's connection is closed. Bytes that still arrive are discarded. */
export async function ends(client: Socket): Promise<void> {
  if (!client.closed) await new Promise((resolve) => client.resume().once('close', resolve))
}
