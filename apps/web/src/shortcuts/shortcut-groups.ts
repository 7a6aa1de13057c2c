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
    title: t('Navigation'),
    shortcuts: [
      { label: t('Go to a room, person or space'), keys: [chords.switcher] },
      { label: t('Previous room'), keys: [chords['previous-room']] },
      { label: t('Next room'), keys: [chords['next-room']] },
      { label: t('Previous unread room'), keys: [chords['previous-unread']] },
      { label: t('Next unread room'), keys: [chords['next-unread']] },
      { label: t('Previous space'), keys: [chords['previous-space']] },
      { label: t('Next space'), keys: [chords['next-space']] },
      { label: t('Show keyboard shortcuts'), keys: [chords.help] },
    ],
  },
  {
    title: t('In a room, direct message or group'),
    shortcuts: [
      { label: t('Mark as read'), keys: [chords['mark-read']] },
      { label: t('Mark all as read'), keys: [chords['mark-all-read']] },
      { label: t('Search messages'), keys: [chords.search] },
      { label: t('Pinned messages'), keys: [chords.pins] },
      { label: t('Emoji and stickers'), keys: [chords.emojis] },
    ],
  },
  {
    title: t('In a voice room or call'),
    shortcuts: [
      { label: t('Mute or unmute'), keys: [chords['toggle-mute']] },
      { label: t('Deafen or undeafen'), keys: [chords['toggle-deafen']] },
      { label: t('Turn the camera on or off'), keys: [chords['toggle-camera']] },
      { label: t('Share your screen, or stop sharing'), keys: [chords['share-screen']] },
      { label: t('Answer a call'), keys: [chords['accept-call']] },
      { label: t('Decline a call'), keys: [chords['decline-call']] },
    ],
  },
  {
    title: t('With a room selected that you can manage'),
    shortcuts: [
      { label: t('Move up'), keys: [['Alt', 'ArrowUp']] },
      { label: t('Move down'), keys: [['Alt', 'ArrowDown']] },
    ],
  },
  {
    title: t('With a message selected'),
    shortcuts: [
      { label: t('Add a reaction'), keys: [['+']] },
      { label: t('Reply'), keys: [['R']] },
      { label: t('Start thread'), keys: [['S']] },
      { label: t('Edit'), keys: [['E']] },
      { label: t('Forward'), keys: [['F']] },
      { label: t('View replies'), keys: [['T']] },
      { label: t('Pin'), keys: [['P']] },
      { label: t('Copy text'), keys: [['C']] },
      { label: t('Copy link'), keys: [['L']] },
      { label: t('Mark as unread from here'), keys: [['U']] },
      { label: t('Delete message'), keys: [['Delete']] },
    ],
  },
  {
    title: t('Writing messages'),
    shortcuts: [
      { label: t('Send'), keys: [['Enter']] },
      { label: t('Send silently'), keys: [['Mod', 'Shift', 'Enter']] },
      { label: t('New line'), keys: [['Shift', 'Enter']] },
      { label: t('Bold'), keys: [['Mod', 'B']] },
      { label: t('Italic'), keys: [['Mod', 'I']] },
      { label: t('Underline'), keys: [['Mod', 'U']] },
      { label: t('Cancel reply'), keys: [['Escape']] },
      { label: t('Edit your last message'), keys: [['ArrowUp']] },
      { label: t('Mention, emoji, command'), keys: [['@'], [':'], ['/']] },
    ],
  },
]
