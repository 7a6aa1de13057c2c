import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksFor } from '#src/messages/composer/wrap-selection.ts'
import { keyLabel } from './key-label.ts'
import { shortcutGroups } from './shortcut-groups.ts'
import { chords, type KeyPress, pressed } from './shortcuts.ts'

function press(key: string, change: Partial<KeyPress> = {}): KeyPress {
  const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false }
  return { key, code: `Key${key.toUpperCase()}`, ...none, ...change }
}

const idOf = (key: KeyPress, isApple = false) => pressed(key, isApple)

test('a shortcut needs exactly its modifiers', () => {
  assert.equal(idOf(press('k', { ctrlKey: true })), 'switcher')
  assert.equal(idOf(press('k')), undefined)
  assert.equal(idOf(press('k', { ctrlKey: true, shiftKey: true })), undefined)
  assert.equal(idOf(press('ArrowUp', { altKey: true })), 'previous-room')
  assert.equal(idOf(press('ArrowUp', { altKey: true, shiftKey: true })), 'previous-unread')
  assert.equal(idOf(press('ArrowUp', { altKey: true, ctrlKey: true })), 'previous-space')
})

test('on an Apple keyboard Command replaces Ctrl, and letters are recognized by their physical key', () => {
  assert.equal(idOf(press('k', { metaKey: true }), true), 'switcher')
  assert.equal(idOf(press('k', { ctrlKey: true }), true), undefined)
  assert.equal(idOf(press('∏', { code: 'KeyP', altKey: true, shiftKey: true }), true), 'pins')
})

test('a slash works if its key needs Shift, and no shortcut works during composition', () => {
  assert.equal(idOf(press('/', { ctrlKey: true, shiftKey: true })), 'help')
  assert.equal(idOf(press('Escape', { isComposing: true })), undefined)
})

test('shortcuts of the composer are not global', () => {
  assert.equal(idOf(press('Enter')), undefined)
  assert.equal(idOf(press('/')), undefined)
})

test('the help lists every shortcut, and no two in a group have the same keys', () => {
  const groups = shortcutGroups.map(({ shortcuts }) =>
    shortcuts.flatMap(({ keys }) => keys.map((chord) => chord.join('+'))),
  )
  const everywhere = Object.values(chords).map((chord) => chord.join('+'))
  for (const keys of [everywhere, ...groups]) assert.equal(new Set(keys).size, keys.length)
  for (const keys of everywhere) assert.ok(groups.flat().includes(keys))
  assert.deepEqual(
    ['Mod', 'Alt', 'K'].map((key) => keyLabel(key, true)),
    ['⌘', '⌥', 'K'],
  )
})

test('the help lists the shortcuts of the composer and of rooms in the list', () => {
  const keysOf = (label: string) =>
    shortcutGroups.flatMap(({ shortcuts }) => shortcuts).find((shortcut) => shortcut.label === label)?.keys
  for (const [label, letter] of [
    ['Bold', 'B'],
    ['Italic', 'I'],
    ['Underline', 'U'],
  ] as const) {
    assert.notEqual(marksFor(letter), undefined)
    assert.deepEqual(keysOf(label), [['Mod', letter]])
  }
  assert.deepEqual(keysOf('Send silently'), [['Mod', 'Shift', 'Enter']])
  assert.equal(idOf(press('Enter', { ctrlKey: true, shiftKey: true })), undefined)
  assert.deepEqual(keysOf('Cancel reply'), [['Escape']])
  assert.deepEqual([keysOf('Move up'), keysOf('Move down')], [[['Alt', 'ArrowUp']], [['Alt', 'ArrowDown']]])
})
