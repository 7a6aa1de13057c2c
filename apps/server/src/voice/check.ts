import { VOICE_CHECK_SECONDS, type VoiceCheck } from '@foyer/protocol/voice-check'
import type { VoiceSettings } from '#src/config.ts'
import { newId } from '#src/kernel/ids.ts'
import { portsFrom } from '#src/kernel/voice-addresses.ts'
import { EmbeddedEngine } from './embedded/engine.ts'
import { NO_RIGHTS, type VoiceEngine } from './engine.ts'
import { iceServersFor } from './ice-servers.ts'

/** Returns the addresses and ports of voice, without details that only operators may see. */
export function voiceCheckFor(
  userId: string,
  voice: VoiceSettings,
  engine: VoiceEngine | undefined,
): VoiceCheck {
  const { livekit } = voice
  if (livekit !== undefined)
    return {
      engine: 'livekit',
      ice_servers: [],
      addresses: [],
      ports: [],
      tcp_ports: [],
      livekit_url: livekit.url,
    }
  const isHere = engine instanceof EmbeddedEngine
  return {
    engine: 'embedded',
    ice_servers: iceServersFor(userId, voice, Date.now()),
    addresses: isHere ? [...engine.addresses] : voice.publicIps,
    ports: isHere && voice.port === 0 ? engine.openPorts.udp : portsFrom(voice.port, voice.processes),
    tcp_ports:
      isHere && voice.tcpPort === 0 ? engine.openPorts.tcp : portsFrom(voice.tcpPort, voice.processes),
    livekit_url: null,
  }
}

/** Connections that test whether media reaches a user. Each is alone in its room, silent, and ends after a few seconds. */
export class TestSessions {
  readonly #engine: VoiceEngine
  readonly #lastMs: number
  /** Session ids by user. Each user has one test at a time. */
  readonly #running = new Map<string, string>()

  constructor(engine: VoiceEngine, lastMs: number = VOICE_CHECK_SECONDS * 1000) {
    this.#engine = engine
    this.#lastMs = lastMs
  }

  /**
   * Begins a test, and ends the user's previous one.
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError with the errors of `VoiceEngine.join` and `VoiceEngine.signal`
   */
  async begin(userId: string, offer: string): Promise<string> {
    const id = newId()
    const last = this.#running.get(userId)
    this.#running.set(userId, id)
    if (last !== undefined) await this.#engine.kick(last, 'moved')
    const session = { id, userId, place: { tenantId: id, channelId: id }, loginId: id }
    try {
      await this.#engine.join(session, NO_RIGHTS)
      const answer = await this.#engine.signal(id, offer)
      setTimeout(() => this.#end(userId, id), this.#lastMs).unref()
      return answer
    } catch (error) {
      await this.#end(userId, id)
      throw error
    }
  }

  async #end(userId: string, id: string): Promise<void> {
    if (this.#running.get(userId) === id) this.#running.delete(userId)
    await this.#engine.kick(id, 'left')
  }
}
