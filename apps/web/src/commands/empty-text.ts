import { t } from '#src/language/texts.ts'
import type { CommandsState } from './command-lists.ts'

/** Returns the text for an empty list of commands. @param name the typed name; empty after the slash alone */
export function emptyText(state: CommandsState, name: string): string {
  if (state === 'failed') return t('Couldn’t load commands. Try again.')
  if (state !== 'here') return t('Loading commands…')
  return name === ''
    ? t('No commands yet. Commands from bots appear here.')
    : t('There’s no command /{name}.', { name })
}
