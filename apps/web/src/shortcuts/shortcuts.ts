/** Global shortcuts. `Mod` is Command on Apple keyboards and Ctrl on others. */
export const chords = {
  switcher: ['Mod', 'K'],
  'previous-room': ['Alt', 'ArrowUp'],
  'next-room': ['Alt', 'ArrowDown'],
  'previous-unread': ['Alt', 'Shift', 'ArrowUp'],
  'next-unread': ['Alt', 'Shift', 'ArrowDown'],
  'previous-space': ['Mod', 'Alt', 'ArrowUp'],
  'next-space': ['Mod', 'Alt', 'ArrowDown'],
  help: ['Mod', '/'],
  'mark-read': ['Escape'],
  'mark-all-read': ['Shift', 'Escape'],
  search: ['Mod', 'F'],
  pins: ['Alt', 'Shift', 'P'],
  emojis: ['Mod', 'E'],
  'toggle-mute': ['Mod', 'Shift', 'M'],
  'toggle-deafen': ['Mod', 'Shift', 'D'],
  'toggle-camera': ['Alt', 'Shift', 'V'],
  'share-screen': ['Alt', 'Shift', 'S'],
  'accept-call': ['Alt', 'Shift', 'Enter'],
  'decline-call': ['Alt', 'Shift', 'Backspace'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ShortcutId = keyof typeof chords

const ids = Object.keys(chords).filter((id): id is ShortcutId => id in chords)

/** The fields of a keyboard event that shortcuts depend on. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing'
>

/** Returns the pressed shortcut, or undefined. */
export function pressed(press: KeyPress, isApple: boolean): ShortcutId | undefined {
  if (press.isComposing) return undefined
  return ids.find((id) => matches(press, chords[id], isApple))
}

function matches(press: KeyPress, chord: readonly string[], isApple: boolean): boolean {
  const key = chord.at(-1) ?? ''
  const wanted = new Set(chord)
  const hasModifiers =
    press.altKey === wanted.has('Alt') &&
    (isApple ? press.metaKey : press.ctrlKey) === wanted.has('Mod') &&
    (isApple ? press.ctrlKey : press.metaKey) === false
  // Many keyboards need Shift for a slash.
  const isShifted = key === '/' || press.shiftKey === wanted.has('Shift')
  return hasModifiers && isShifted && isKey(press, key)
}

/** Compares the physical key if Alt is held, because Apple keyboards then produce other letters. */
function isKey(press: KeyPress, key: string): boolean {
  if (press.altKey && /^[A-Z]$/.test(key)) return press.code === `Key${key}`
  return press.key.toLowerCase() === key.toLowerCase()
}
