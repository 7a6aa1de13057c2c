import { t } from '#src/language/texts.ts'

/** Returns the label of a key, as printed on the keyboard. */
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
