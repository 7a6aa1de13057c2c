import type { VoiceSignal } from '@foyer/protocol/voice'
import type { Client } from '@foyer/sdk/client'
import { LossyRelay } from './lossy-relay.ts'

/** Wraps the gateway of a bot so that its media goes through a relay that drops packets. */
export class LossyGateway {
  readonly gateway: Client['gateway']
  readonly #options: { loss: number; seed: number }
  #relay: LossyRelay | undefined

  constructor(gateway: Client['gateway'], options: { loss: number; seed: number }) {
    this.#options = options
    this.gateway = new Proxy(gateway, {
      get: (target, name) => {
        if (name === 'onVoiceSignal') return this.#listen(target)
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** Number of packets that the relay has dropped, in both directions. */
  get lost(): number {
    return this.#relay?.lost ?? 0
  }

  close(): void {
    this.#relay?.close()
  }

  #listen(gateway: Client['gateway']): Client['gateway']['onVoiceSignal'] {
    return (listener) =>
      gateway.onVoiceSignal((signal) => {
        if (signal.kind === 'answer') void this.#rewrite(signal).then(listener)
        else listener(signal)
      })
  }

  /** Replaces the server's port in the answer with the relay's port. */
  async #rewrite(answer: Extract<VoiceSignal, { kind: 'answer' }>): Promise<VoiceSignal> {
    const [, port] = /^a=candidate:.* (\d+) typ host/m.exec(answer.sdp) ?? []
    this.#relay ??= await LossyRelay.open(Number(port), this.#options)
    return {
      ...answer,
      sdp: answer.sdp.replace(/^(a=candidate:.* )\d+( typ host)/gm, `$1${this.#relay.port}$2`),
    }
  }
}
