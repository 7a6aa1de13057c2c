/** Whether lines of text run from right to left. */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === 'rtl'
}

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** What a key means along a line: where it is read from the right, the left arrow leads on. */
export function keyAlongLine(key: string): string {
  return isRightToLeft() ? (MIRRORED[key] ?? key) : key
}
