import { t } from '#src/language/texts.ts'
import type { TalkKey } from './talk-key.ts'

/** What a press of a key says of itself. */
export type Press = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>

/** The key that is pressed, with what is held with it. */
export function talkKeyFrom(press: Press): TalkKey {
  const { code, ctrlKey: ctrl, altKey: alt, shiftKey: shift, metaKey: meta } = press
  // A modifier key says of itself that it is held.
  if (isModifier(code)) return { code, ctrl: false, alt: false, shift: false, meta: false }
  return { code, ctrl, alt, shift, meta }
}

/** Whether the press is of the key, with exactly what is held with it; a modifier key is itself whatever else is held. */
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

/** Whether the key would write or move something where one types: there it does that, and nothing else. */
export function writes({ code, ctrl, alt, meta }: TalkKey): boolean {
  return !ctrl && !alt && !meta && !isModifier(code) && !/^F\d+$/.test(code)
}

/** As it stands on the key, and how one says what is held with it. */
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
