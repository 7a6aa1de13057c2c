import { t } from '#src/language/texts.ts'
import { chords } from './shortcuts.ts'

interface Shortcut {
  readonly label: string
  /** Key combinations; any of them works. */
  readonly keys: readonly (readonly string[])[]
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

/** All shortcuts for the help: global ones, those of the composer and those of focused elements. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: t('Getting around'),
    shortcuts: [
      { label: t('Go to a room, person or space'), keys: [chords.switcher] },
      { label: t('Room above'), keys: [chords['previous-room']] },
      { label: t('Room below'), keys: [chords['next-room']] },
      { label: t('Unread room above'), keys: [chords['previous-unread']] },
      { label: t('Unread room below'), keys: [chords['next-unread']] },
      { label: t('Space above'), keys: [chords['previous-space']] },
      { label: t('Space below'), keys: [chords['next-space']] },
      { label: t('This list'), keys: [chords.help] },
    ],
  },
  {
    title: t('In a room or conversation'),
    shortcuts: [
      { label: t('Mark as read'), keys: [chords['mark-read']] },
      { label: t('Mark everything as read'), keys: [chords['mark-all-read']] },
      { label: t('Search messages'), keys: [chords.search] },
      { label: t('Pinned messages'), keys: [chords.pins] },
      { label: t('Emojis and stickers'), keys: [chords.emojis] },
    ],
  },
  {
    title: t('In a voice room or call'),
    shortcuts: [
      { label: t('Mute or unmute yourself'), keys: [chords['toggle-mute']] },
      { label: t('Stop or go on hearing'), keys: [chords['toggle-deafen']] },
      { label: t('Answer a call'), keys: [chords['accept-call']] },
      { label: t('Decline a call'), keys: [chords['decline-call']] },
    ],
  },
  {
    title: t('On a room that has the focus, if you manage it'),
    shortcuts: [
      { label: t('Move up'), keys: [['Alt', 'ArrowUp']] },
      { label: t('Move down'), keys: [['Alt', 'ArrowDown']] },
    ],
  },
  {
    title: t('On a message that has the focus'),
    shortcuts: [
      { label: t('Add a reaction'), keys: [['+']] },
      { label: t('Reply'), keys: [['R']] },
      { label: t('Edit'), keys: [['E']] },
      { label: t('Forward'), keys: [['F']] },
      { label: t('View thread'), keys: [['T']] },
      { label: t('Pin'), keys: [['P']] },
      { label: t('Copy its text'), keys: [['C']] },
      { label: t('Copy its link'), keys: [['L']] },
      { label: t('Mark as unread from here'), keys: [['U']] },
      { label: t('Delete message'), keys: [['Delete']] },
    ],
  },
  {
    title: t('Writing'),
    shortcuts: [
      { label: t('Send'), keys: [['Enter']] },
      { label: t('Send silently'), keys: [['Mod', 'Shift', 'Enter']] },
      { label: t('New line'), keys: [['Shift', 'Enter']] },
      { label: t('Bold'), keys: [['Mod', 'B']] },
      { label: t('Italic'), keys: [['Mod', 'I']] },
      { label: t('Underlined'), keys: [['Mod', 'U']] },
      { label: t('Do not answer'), keys: [['Escape']] },
      { label: t('Edit your last message'), keys: [['ArrowUp']] },
      { label: t('Mention, emoji, command'), keys: [['@'], [':'], ['/']] },
    ],
  },
]
