/** Louder than this, in -dBov, is taken for a voice: speech has 15 to 40, a room that is quiet over 60. */
const LOUDEST_NOISE = 50
/** From the first loud packet to the one that tells: with its own 20 ms, about 50 ms of voice. */
const ONSET_MS = 35
/** Loud packets further apart are clicks, each alone. */
const MAX_PAUSE_MS = 100
const SILENCE_MS = 300

/** Whether somebody speaks, by the levels of their packets. */
export class VoiceActivity {
  isSpeaking = false
  /** When they began, or fell silent. */
  changedAt = 0
  #loudSince = 0
  #loudAt = Number.NEGATIVE_INFINITY

  /** @returns whether they begin to speak with this packet */
  hear(level: number, nowMs: number): boolean {
    if (level > LOUDEST_NOISE) return false
    if (nowMs - this.#loudAt > MAX_PAUSE_MS) this.#loudSince = nowMs
    this.#loudAt = nowMs
    if (this.isSpeaking || nowMs - this.#loudSince < ONSET_MS) return false
    this.#change(true, nowMs)
    return true
  }

  /** @returns whether they have fallen silent meanwhile */
  endsAt(nowMs: number): boolean {
    return this.isSpeaking && nowMs - this.#loudAt >= SILENCE_MS && this.silence(nowMs)
  }

  /** @returns whether they were speaking */
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
