const RECENT_KEY = 'foyer.emojis.recent'
const TONE_KEY = 'foyer.emojis.tone'
const MAX_RECENT = 24
const TONES = 5

/** Emoji choices remembered by this browser. A key is the emoji itself, or the id of a custom emoji. */

export function recentKeys(): string[] {
  const known = parse(window.localStorage.getItem(RECENT_KEY))
  return Array.isArray(known) ? known.filter((key) => typeof key === 'string').slice(0, MAX_RECENT) : []
}

export function rememberUse(key: string): void {
  const keys = [key, ...recentKeys().filter((other) => other !== key)].slice(0, MAX_RECENT)
  window.localStorage.setItem(RECENT_KEY, JSON.stringify(keys))
}

/** Returns the remembered skin tone: 0 for none, else 1 (light) to 5 (dark). */
export function knownTone(): number {
  const tone = Number(window.localStorage.getItem(TONE_KEY))
  return Number.isInteger(tone) && tone >= 0 && tone <= TONES ? tone : 0
}

export function rememberTone(tone: number): void {
  window.localStorage.setItem(TONE_KEY, String(tone))
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
