/** True if text runs from right to left. */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl'
}

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** Mirrors arrow keys in right-to-left text, where the left arrow moves forward. */
export function keyAlongLine(key: string): string {
  return isRightToLeft() ? (MIRRORED[key] ?? key) : key
}
