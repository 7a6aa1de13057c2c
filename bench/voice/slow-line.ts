import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { RateMeter } from '../../apps/server/src/voice/sfu/bandwidth/rate-meter.ts'
import { SimulatedLine } from '../../apps/server/test/voice/simulated-line.ts'

const RELEASE_MS = 1
const HOST = '127.0.0.1'

/** A relay between one client and the media process, which limits the rate in both directions. */
export class SlowLine {
  readonly down: SimulatedLine
  readonly up: SimulatedLine
  /** Rate at which the server sends, before the limit. */
  readonly offered = new RateMeter(250)
  readonly #port: number
  readonly #nearClient = createSocket('udp4')
  readonly #nearServer = createSocket('udp4')
  readonly #releasing: NodeJS.Timeout
  #clientPort = 0

  /** @param port port of the media process */
  static async open(port: number, rates: { downBps: number; upBps: number }): Promise<SlowLine> {
    const line = new SlowLine(port, rates)
    for (const socket of [line.#nearClient, line.#nearServer]) {
      socket.bind(0, HOST)
      await once(socket, 'listening')
    }
    return line
  }

  private constructor(port: number, { downBps, upBps }: { downBps: number; upBps: number }) {
    this.#port = port
    this.down = new SimulatedLine(downBps, { delayMs: 10 })
    this.up = new SimulatedLine(upBps, { delayMs: 10 })
    this.#nearClient.on('message', (packet, { port: clientPort }) => {
      this.#clientPort = clientPort
      this.up.send(packet, performance.now())
    })
    this.#nearServer.on('message', (packet) => {
      this.offered.add(packet.length, performance.now())
      this.down.send(packet, performance.now())
    })
    this.#releasing = setInterval(() => this.#release(), RELEASE_MS)
  }

  /** Replaces the server's port in the answer with the port of the relay, so that the client connects through the relay. */
  lead(answer: string): string {
    return answer.replaceAll(` ${this.#port} typ host`, ` ${this.#nearClient.address().port} typ host`)
  }

  close(): void {
    clearInterval(this.#releasing)
    this.#nearClient.close()
    this.#nearServer.close()
  }

  #release(): void {
    const nowMs = performance.now()
    forward(this.up, nowMs, { from: this.#nearServer, to: this.#port })
    forward(this.down, nowMs, { from: this.#nearClient, to: this.#clientPort })
  }
}

function forward(line: SimulatedLine, nowMs: number, { from, to }: { from: Socket; to: number }): void {
  for (const { packet } of line.arrived(nowMs)) from.send(packet, to, HOST)
}
