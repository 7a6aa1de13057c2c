/** Every shortcut of the client: the help lists this table, and the handler goes by it. */

export interface Shortcut {
  readonly id: string
  readonly label: string
  /** As one presses them; `Mod` is Command on Apple's keyboards and Ctrl elsewhere. */
  readonly keys: readonly (readonly string[])[]
  /** Handled where one types, not wherever one is. */
  readonly isLocal?: boolean
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

export const shortcutGroups = [
  {
    title: 'Getting around',
    shortcuts: [
      { id: 'switcher', label: 'Go to a room, person or space', keys: [['Mod', 'K']] },
      { id: 'previous-room', label: 'Room above', keys: [['Alt', 'ArrowUp']] },
      { id: 'next-room', label: 'Room below', keys: [['Alt', 'ArrowDown']] },
      { id: 'previous-unread', label: 'Unread room above', keys: [['Alt', 'Shift', 'ArrowUp']] },
      { id: 'next-unread', label: 'Unread room below', keys: [['Alt', 'Shift', 'ArrowDown']] },
      { id: 'previous-space', label: 'Space above', keys: [['Mod', 'Alt', 'ArrowUp']] },
      { id: 'next-space', label: 'Space below', keys: [['Mod', 'Alt', 'ArrowDown']] },
      { id: 'help', label: 'This list', keys: [['Mod', '/']] },
    ],
  },
  {
    title: 'In a room or conversation',
    shortcuts: [
      { id: 'mark-read', label: 'Mark as read', keys: [['Escape']] },
      { id: 'mark-all-read', label: 'Mark everything as read', keys: [['Shift', 'Escape']] },
      { id: 'search', label: 'Search messages', keys: [['Mod', 'F']] },
      { id: 'pins', label: 'Pinned messages', keys: [['Alt', 'Shift', 'P']] },
      { id: 'emojis', label: 'Emojis and stickers', keys: [['Mod', 'E']] },
    ],
  },
  {
    title: 'On a message that has the focus',
    shortcuts: [
      { id: 'react', label: 'Add a reaction', keys: [['+']], isLocal: true },
      { id: 'reply', label: 'Reply', keys: [['R']], isLocal: true },
      { id: 'edit', label: 'Edit', keys: [['E']], isLocal: true },
      { id: 'forward', label: 'Forward', keys: [['F']], isLocal: true },
      { id: 'pin', label: 'Pin', keys: [['P']], isLocal: true },
      { id: 'copy', label: 'Copy its text', keys: [['C']], isLocal: true },
      { id: 'link', label: 'Copy its link', keys: [['L']], isLocal: true },
      { id: 'unread', label: 'Mark as unread from here', keys: [['U']], isLocal: true },
    ],
  },
  {
    title: 'Writing',
    shortcuts: [
      { id: 'send', label: 'Send', keys: [['Enter']], isLocal: true },
      { id: 'new-line', label: 'New line', keys: [['Shift', 'Enter']], isLocal: true },
      { id: 'edit-last', label: 'Edit your last message', keys: [['ArrowUp']], isLocal: true },
      { id: 'complete', label: 'Mention, emoji, command', keys: [['@'], [':'], ['/']], isLocal: true },
    ],
  },
] as const satisfies readonly ShortcutGroup[]

type Listed = (typeof shortcutGroups)[number]['shortcuts'][number]

/** Those that are handled wherever one is. */
export type ShortcutId = Exclude<Listed, { isLocal: true }>['id']

const all: readonly Shortcut[] = shortcutGroups.flatMap((group): readonly Shortcut[] => group.shortcuts)
const everywhere = all.filter(({ isLocal }) => isLocal !== true)

/** What a press of a key says of itself. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing'
>

/** The shortcut that was pressed; undefined for none. */
export function pressed(press: KeyPress, isApple: boolean): Shortcut | undefined {
  if (press.isComposing) return undefined
  return everywhere.find(({ keys }) => keys.some((chord) => matches(press, chord, isApple)))
}

/** What stands on the key: for the help. */
export function keyLabel(key: string, isApple: boolean): string {
  const apple: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' }
  const names: Readonly<Record<string, string>> = { Mod: 'Ctrl', Escape: 'Esc' }
  return (isApple ? apple[key] : undefined) ?? names[key] ?? key
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
