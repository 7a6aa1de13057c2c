import { t } from '#src/language/texts.ts'
import type { TalkKey } from '../control/talk-key.ts'

/** The part of a keyboard event that identifies a key. */
export type Press = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

/** The pressed key with its modifiers. */
export function talkKeyFrom(press: Press): TalkKey {
  const { code, ctrlKey: ctrl, altKey: alt, shiftKey: shift, metaKey: meta } = press
  // The event of a modifier key reports the key itself as a held modifier, which is ignored.
  if (isModifier(code)) return { code, ctrl: false, alt: false, shift: false, meta: false }
  return { code, ctrl, alt, shift, meta }
}

/** True if the press matches the key and exactly its modifiers. A modifier key matches together with any other keys. */
export function isPressed(key: TalkKey, press: Press): boolean {
  if (press.code !== key.code) return false
  if (isModifier(key.code)) return true
  return (
    press.ctrlKey === key.ctrl &&
    press.altKey === key.alt &&
    press.shiftKey === key.shift &&
    press.metaKey === key.meta
  )
}

/** True if the key would type or move the cursor in a text field. In a text field, it does not start to transmit. */
export function writes({ code, ctrl, alt, meta }: TalkKey): boolean {
  return !ctrl && !alt && !meta && !isModifier(code) && !/^F\d+$/.test(code)
}

/** Label of the key and its modifiers on the user's keyboard. */
export function talkKeyLabel(key: TalkKey, isApple: boolean): string {
  const held = [
    key.ctrl && t('Ctrl'),
    key.alt && (isApple ? 'Option' : 'Alt'),
    key.shift && t('Shift'),
    key.meta && (isApple ? 'Command' : 'Meta'),
  ].filter((name) => name !== false)
  return [...held, codeLabel(key.code, isApple)].join(' + ')
}

function isModifier(code: string): boolean {
  return /^(Control|Alt|Shift|Meta)(Left|Right)$/.test(code) || code === 'CapsLock'
}

function codeLabel(code: string, isApple: boolean): string {
  const plain = code.replace(/^(Key|Digit)(?=.$)/, '').replace(/^Numpad/, 'Numpad ')
  const [, name = '', side = ''] = /^(Control|Alt|Shift|Meta)(Left|Right)$/.exec(plain) ?? []
  if (name === '') return plain
  const apple: Readonly<Record<string, string>> = { Alt: 'Option', Meta: 'Command' }
  const key = (isApple ? apple[name] : undefined) ?? name.replace('Control', t('Ctrl'))
  return side === 'Left' ? t('Left {key}', { key }) : t('Right {key}', { key })
}
