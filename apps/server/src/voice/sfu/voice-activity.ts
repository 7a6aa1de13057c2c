/** Packets louder than this, in -dBov, count as voice: speech has 15 to 40, a quiet room over 60. */
const LOUDEST_NOISE = 50
/**
 * Time from the first loud packet to the packet with which speech begins. With the 20 ms of that packet, this is about
 * 50 ms of voice.
 */
const ONSET_MS = 35
/** Maximum time between the loud packets of speech. Loud packets further apart are single clicks. */
const MAX_PAUSE_MS = 100
const SILENCE_MS = 300

/** Detects whether a member speaks, by the levels of their packets. */
export class VoiceActivity {
  isSpeaking = false
  /** Time at which the member began to speak, or fell silent. */
  changedAt = 0
  #loudSince = 0
  #loudAt = Number.NEGATIVE_INFINITY

  /** @returns whether speech begins with this packet */
  receive(level: number, nowMs: number): boolean {
    if (level > LOUDEST_NOISE) return false
    if (nowMs - this.#loudAt > MAX_PAUSE_MS) this.#loudSince = nowMs
    this.#loudAt = nowMs
    if (this.isSpeaking || nowMs - this.#loudSince < ONSET_MS) return false
    this.#change(true, nowMs)
    return true
  }

  /** Ends speech after enough silence. @returns whether it has just ended */
  endsAt(nowMs: number): boolean {
    return this.isSpeaking && nowMs - this.#loudAt >= SILENCE_MS && this.silence(nowMs)
  }

  /** Ends speech now. @returns whether the member was speaking */
  silence(nowMs: number): boolean {
    const wasSpeaking = this.isSpeaking
    this.#loudAt = Number.NEGATIVE_INFINITY
    if (wasSpeaking) this.#change(false, nowMs)
    return wasSpeaking
  }

  #change(isSpeaking: boolean, nowMs: number): void {
    this.isSpeaking = isSpeaking
    this.changedAt = nowMs
  }
}
