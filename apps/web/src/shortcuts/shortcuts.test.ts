import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyLabel } from './key-label.ts'
import { shortcutGroups } from './shortcut-groups.ts'
import { chords, type KeyPress, pressed } from './shortcuts.ts'

function press(key: string, change: Partial<KeyPress> = {}): KeyPress {
  const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false }
  return { key, code: `Key${key.toUpperCase()}`, ...none, ...change }
}

const idOf = (key: KeyPress, isApple = false) => pressed(key, isApple)

test('a shortcut is pressed with exactly its modifiers', () => {
  assert.equal(idOf(press('k', { ctrlKey: true })), 'switcher')
  assert.equal(idOf(press('k')), undefined)
  assert.equal(idOf(press('k', { ctrlKey: true, shiftKey: true })), undefined)
  assert.equal(idOf(press('ArrowUp', { altKey: true })), 'previous-room')
  assert.equal(idOf(press('ArrowUp', { altKey: true, shiftKey: true })), 'previous-unread')
  assert.equal(idOf(press('ArrowUp', { altKey: true, ctrlKey: true })), 'previous-space')
})

test('on an Apple keyboard Command stands for Ctrl, and a letter is told by its place', () => {
  assert.equal(idOf(press('k', { metaKey: true }), true), 'switcher')
  assert.equal(idOf(press('k', { ctrlKey: true }), true), undefined)
  assert.equal(idOf(press('∏', { code: 'KeyP', altKey: true, shiftKey: true }), true), 'pins')
})

test('a slash counts where its key needs Shift, and nothing counts while a word is composed', () => {
  assert.equal(idOf(press('/', { ctrlKey: true, shiftKey: true })), 'help')
  assert.equal(idOf(press('Escape', { isComposing: true })), undefined)
})

test('what is handled where one types is not handled everywhere', () => {
  assert.equal(idOf(press('Enter')), undefined)
  assert.equal(idOf(press('/')), undefined)
})

test('the help has every shortcut, and no two have the same keys', () => {
  const listed = shortcutGroups.flatMap((group) =>
    group.shortcuts.flatMap(({ keys }) => keys.map((chord) => chord.join('+'))),
  )
  assert.equal(new Set(listed).size, listed.length)
  for (const chord of Object.values(chords)) assert.ok(listed.includes(chord.join('+')))
  assert.deepEqual(
    ['Mod', 'Alt', 'K'].map((key) => keyLabel(key, true)),
    ['⌘', '⌥', 'K'],
  )
})
