import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPressed, type Press, talkKeyFrom, talkKeyLabel, writes } from './talk-key-press.ts'

function press(code: string, change: Partial<Press> = {}): Press {
  return { code, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...change }
}

test('a key matches only with exactly its modifiers; a modifier key matches with any others', () => {
  const key = talkKeyFrom(press('KeyT', { altKey: true }))
  assert.equal(isPressed(key, press('KeyT', { altKey: true })), true)
  assert.equal(isPressed(key, press('KeyT')), false)
  assert.equal(isPressed(key, press('KeyT', { altKey: true, shiftKey: true })), false)
  const modifier = talkKeyFrom(press('ControlRight', { ctrlKey: true }))
  assert.equal(isPressed(modifier, press('ControlRight', { ctrlKey: true, shiftKey: true })), true)
  assert.equal(isPressed(modifier, press('ControlLeft', { ctrlKey: true })), false)
})

test('keys that would type in a text field are recognized', () => {
  const codes = (list: string[], change?: Partial<Press>) =>
    list.filter((code) => writes(talkKeyFrom(press(code, change))))
  assert.deepEqual(codes(['KeyT', 'Space', 'F8', 'AltRight', 'CapsLock']), ['KeyT', 'Space'])
  assert.deepEqual(codes(['KeyT', 'Space'], { ctrlKey: true }), [])
})

test('keys are named by their label on the keyboard', () => {
  const label = (given: Press, isApple = false) => talkKeyLabel(talkKeyFrom(given), isApple)
  assert.equal(label(press('KeyT', { ctrlKey: true, shiftKey: true })), 'Ctrl + Shift + T')
  assert.equal(label(press('AltRight')), 'Right Alt')
  assert.equal(label(press('AltRight'), true), 'Right Option')
  assert.deepEqual([label(press('Numpad5')), label(press('Digit5'))], ['Numpad 5', '5'])
})
