/** The shortcuts that are handled wherever one is. `Mod` is Command on Apple's keyboards and Ctrl elsewhere. */
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
  'accept-call': ['Alt', 'Shift', 'Enter'],
  'decline-call': ['Alt', 'Shift', 'Backspace'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type ShortcutId = keyof typeof chords

const ids = Object.keys(chords).filter((id): id is ShortcutId => id in chords)

/** What a press of a key says of itself. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing'
>

/** The shortcut that was pressed; undefined for none. */
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
  // On many keyboards a slash needs Shift, and is a slash all the same.
  const isShifted = key === '/' || press.shiftKey === wanted.has('Shift')
  return hasModifiers && isShifted && isKey(press, key)
}

/** With Alt a letter's key gives another letter on Apple's keyboards: there its place counts. */
function isKey(press: KeyPress, key: string): boolean {
  if (press.altKey && /^[A-Z]$/.test(key)) return press.code === `Key${key}`
  return press.key.toLowerCase() === key.toLowerCase()
}
