/** The push-to-talk key, by its physical position on the keyboard, with its modifiers. */
export interface TalkKey {
  readonly code: string
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
  readonly meta: boolean
}

/** Validates a stored value. Returns undefined if it is not a key. */
export function talkKeyOf(value: unknown): TalkKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const kept: Record<string, unknown> = { ...value }
  const { code } = kept
  if (typeof code !== 'string' || code === '') return undefined
  const [ctrl, alt, shift, meta] = ['ctrl', 'alt', 'shift', 'meta'].map((name) => kept[name] === true)
  return { code, ctrl: ctrl === true, alt: alt === true, shift: shift === true, meta: meta === true }
}
