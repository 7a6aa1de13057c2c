import { t } from '#src/language/texts.ts'
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
    title: t('Getting around'),
    shortcuts: [
      { id: 'switcher', label: t('Go to a room, person or space'), keys: [['Mod', 'K']] },
      { id: 'previous-room', label: t('Room above'), keys: [['Alt', 'ArrowUp']] },
      { id: 'next-room', label: t('Room below'), keys: [['Alt', 'ArrowDown']] },
      { id: 'previous-unread', label: t('Unread room above'), keys: [['Alt', 'Shift', 'ArrowUp']] },
      { id: 'next-unread', label: t('Unread room below'), keys: [['Alt', 'Shift', 'ArrowDown']] },
      { id: 'previous-space', label: t('Space above'), keys: [['Mod', 'Alt', 'ArrowUp']] },
      { id: 'next-space', label: t('Space below'), keys: [['Mod', 'Alt', 'ArrowDown']] },
      { id: 'help', label: t('This list'), keys: [['Mod', '/']] },
    ],
  },
  {
    title: t('In a room or conversation'),
    shortcuts: [
      { id: 'mark-read', label: t('Mark as read'), keys: [['Escape']] },
      { id: 'mark-all-read', label: t('Mark everything as read'), keys: [['Shift', 'Escape']] },
      { id: 'search', label: t('Search messages'), keys: [['Mod', 'F']] },
      { id: 'pins', label: t('Pinned messages'), keys: [['Alt', 'Shift', 'P']] },
      { id: 'emojis', label: t('Emojis and stickers'), keys: [['Mod', 'E']] },
    ],
  },
  {
    title: t('In a voice room or call'),
    shortcuts: [
      { id: 'toggle-mute', label: t('Mute or unmute yourself'), keys: [['Mod', 'Shift', 'M']] },
      { id: 'toggle-deafen', label: t('Stop or go on hearing'), keys: [['Mod', 'Shift', 'D']] },
      { id: 'accept-call', label: t('Answer a call'), keys: [['Mod', 'Shift', 'Enter']] },
      { id: 'decline-call', label: t('Decline a call'), keys: [['Mod', 'Shift', 'Backspace']] },
    ],
  },
  {
    title: t('On a message that has the focus'),
    shortcuts: [
      { id: 'react', label: t('Add a reaction'), keys: [['+']], isLocal: true },
      { id: 'reply', label: t('Reply'), keys: [['R']], isLocal: true },
      { id: 'edit', label: t('Edit'), keys: [['E']], isLocal: true },
      { id: 'forward', label: t('Forward'), keys: [['F']], isLocal: true },
      { id: 'pin', label: t('Pin'), keys: [['P']], isLocal: true },
      { id: 'copy', label: t('Copy its text'), keys: [['C']], isLocal: true },
      { id: 'link', label: t('Copy its link'), keys: [['L']], isLocal: true },
      { id: 'unread', label: t('Mark as unread from here'), keys: [['U']], isLocal: true },
    ],
  },
  {
    title: t('Writing'),
    shortcuts: [
      { id: 'send', label: t('Send'), keys: [['Enter']], isLocal: true },
      { id: 'new-line', label: t('New line'), keys: [['Shift', 'Enter']], isLocal: true },
      { id: 'edit-last', label: t('Edit your last message'), keys: [['ArrowUp']], isLocal: true },
      { id: 'complete', label: t('Mention, emoji, command'), keys: [['@'], [':'], ['/']], isLocal: true },
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
  const names: Readonly<Record<string, string>> = {
    Mod: t('Ctrl'),
    Shift: t('Shift'),
    Escape: 'Esc',
    Enter: t('Enter'),
    Backspace: t('Backspace'),
  }
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
