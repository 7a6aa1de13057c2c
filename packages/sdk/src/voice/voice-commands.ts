import type { GatewayError } from '@foyer/protocol/gateway'
import type { UpdateVoiceState, WatchedPicture } from '@foyer/protocol/voice'
import type { Gateway } from '../gateway.ts'
import { randomNonce } from '../nonce.ts'
import type { Self } from './own-flags.ts'
import { channelOf } from './place.ts'
import type { VoiceTarget } from './status.ts'

/** The part of a gateway that voice needs. */
export type VoiceGateway = Pick<
  Gateway,
  'state' | 'on' | 'onState' | 'onError' | 'onVoiceSignal' | 'sendVoiceState' | 'sendVoiceSignal'
>

/** Voice commands of a client. Finds the command that a refusal belongs to. */
export class VoiceCommands {
  readonly #gateway: VoiceGateway
  /**
   * Name of this client in nonces. Grants reach all of the user's clients, and a client recognizes by the name which
   * grants it has requested itself.
   */
  readonly #name = randomNonce()
  #asked = 0
  /** True if the last command may have left the user in voice on the server. */
  #mayBeIn = false

  constructor(gateway: VoiceGateway) {
    this.#gateway = gateway
  }

  /**
   * Requests a session for this client, replacing any other.
   * @param lost the session whose media was lost: only this session may be replaced, because the user may have moved to
   * another device
   * @returns the nonce of the grant, or of the refusal
   */
  join(target: VoiceTarget, self: Self, lost: string | undefined): string {
    this.#asked += 1
    const nonce = `${this.#name} ${this.#asked}`
    this.#mayBeIn = true
    const after = lost === undefined ? {} : { after_session_id: lost }
    this.#gateway.sendVoiceState({ ...stateOf(target, self), session_id: null, ...after, nonce })
    return nonce
  }

  offer(session_id: string, sdp: string): void {
    this.#gateway.sendVoiceSignal({ kind: 'offer', session_id, sdp, nonce: offerNonce(session_id) })
  }

  /** @param watched the pictures to receive, the most important first */
  watch(session_id: string, watched: readonly WatchedPicture[]): void {
    const nonce = watchNonce(session_id)
    this.#gateway.sendVoiceSignal({ kind: 'watch', session_id, watched: [...watched], nonce })
  }

  sendSelf(target: VoiceTarget, self: Self, session_id: string): void {
    this.#gateway.sendVoiceState({ ...stateOf(target, self), session_id, nonce: this.#flagsNonce })
  }

  /**
   * Leaves this session, but not one that replaced it. Without an id, it leaves any session of this client. Dropped
   * while the gateway is disconnected: the server also notices the end of media.
   */
  leave(session_id: string | undefined): void {
    const gone = { room_id: null, conversation_id: null }
    if (this.#mayBeIn) this.#gateway.sendVoiceState(session_id === undefined ? gone : { ...gone, session_id })
    this.#mayBeIn = false
  }

  /** Called when the server reports that there is no session. */
  forget(): void {
    this.#mayBeIn = false
  }

  isOfOffer({ nonce }: GatewayError, session_id: string): boolean {
    return nonce === offerNonce(session_id)
  }

  isOfSelf({ nonce }: GatewayError): boolean {
    return nonce === this.#flagsNonce
  }

  get #flagsNonce(): string {
    return `${this.#name} flags`
  }
}

function offerNonce(sessionId: string): string {
  return `offer ${sessionId}`
}

/** Returns the nonce of a session's watch lists, by which their refusals are recognized. */
export function watchNonce(sessionId: string): string {
  return `watch ${sessionId}`
}

/**
 * Returns the fields of op 4. Camera and screen flags are included only when set, because older servers do not know
 * them.
 */
function stateOf(target: VoiceTarget, { mute, deaf, video, stream }: Self): UpdateVoiceState {
  const pictures = { ...(video && { self_video: true }), ...(stream && { self_stream: true }) }
  return { ...channelOf(target), self_mute: mute, self_deaf: deaf, ...pictures }
}
