/** The key of push-to-talk, by its place on the keyboard, and what is held with it. */
export interface TalkKey {
  readonly code: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
  readonly meta: boolean
}

/** The key that was kept; undefined where that is none. */
export function talkKeyOf(value: unknown): TalkKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const kept: Record<string, unknown> = { ...value }
  const { code } = kept
  if (typeof code !== 'string' || code === '') return undefined
  const [ctrl, alt, shift, meta] = ['ctrl', 'alt', 'shift', 'meta'].map((name) => kept[name] === true)
  return { code, ctrl: ctrl === true, alt: alt === true, shift: shift === true, meta: meta === true }
}
