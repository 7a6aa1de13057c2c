/** The SSRCs of a bot's own streams and of its RTCP reports. */
export interface OwnSources {
  readonly microphone: number
  /** SSRC of the bot's screen sound. */
  readonly sound: number
  readonly camera: number
  readonly screen: number
}

/** Returns random SSRCs, as RFC 3550 requires, that differ in their lowest bits. */
export function newSources(): OwnSources {
  const first = 4 * (1 + Math.floor(Math.random() * (2 ** 30 - 1)))
  return { microphone: first, sound: first + 1, camera: first + 2, screen: first + 3 }
}
