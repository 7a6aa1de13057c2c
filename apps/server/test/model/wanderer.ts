import { Opcode } from '@foyer/protocol/gateway'
import { parseFrame } from '@foyer/sdk/frames'
import { Position } from '@foyer/sdk/position'
import { Subscribers } from '@foyer/sdk/subscribers'
import { GatewayClient, type Identity, openSession } from '../gateway-client.ts'
import type { TestServer } from '../server.ts'

/**
 * Client that may disconnect at any time, resumes from its position, and receives each event once, as the SDK does.
 */
export class Wanderer {
  readonly events = new Subscribers()
  readonly #server: TestServer
  readonly #userId: string
  readonly #capabilities: string[]
  readonly #position = new Position()
  #identity: Identity | undefined
  #client: GatewayClient | undefined

  /** @param capabilities kinds of events to ask the gateway for */
  constructor(server: TestServer, userId: string, capabilities: readonly string[] = []) {
    this.#server = server
    this.#userId = userId
    this.#capabilities = [...capabilities]
  }

  get isAway(): boolean {
    return this.#client === undefined
  }

  /** Closes the connection. Events in transit are lost. */
  goAway(): void {
    this.#client?.close()
    this.#client = undefined
  }

  /** Connects with IDENTIFY the first time, later with RESUME. */
  async comeBack(): Promise<void> {
    this.#identity ??= await openSession(this.#server, this.#userId)
    const client = new GatewayClient(this.#server, {})
    client.socket.on('message', (data) => this.#hear(String(data)))
    this.#client = client
    await client.findCommand(Opcode.Hello)
    this.#join(client, this.#identity)
    await client.find(({ t }) => t === 'READY' || t === 'RESUMED', 'READY or RESUMED')
  }

  #join(client: GatewayClient, identity: Identity): void {
    const s = this.#position.resumeFrom
    const introduction = { ...identity, capabilities: this.#capabilities }
    if (s === null) return client.send(Opcode.Identify, introduction)
    this.#position.beginReplay()
    client.send(Opcode.Resume, { ...introduction, s })
  }

  #hear(text: string): void {
    const frame = parseFrame(text)
    if (frame?.op !== Opcode.Dispatch) return
    const { t, s } = frame
    if (t === 'READY' || t === 'RESUMED') {
      this.#position.endReplay()
      if (s !== undefined) this.#position.advance(s)
    } else if (s !== undefined && !this.#position.accept(s)) return
    this.events.emit(frame)
  }
}
