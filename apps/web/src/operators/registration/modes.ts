import type { PuzzleMode, RegistrationMode } from '@foyer/protocol/registration'
import { t } from '#src/language/texts.ts'

/** The ways to get an account, as answers to "Who can create an account". */
export const modeLabels: readonly (readonly [RegistrationMode, string])[] = [
  ['open', t('Anyone')],
  ['invite', t('People with an invite')],
  ['approval', t('People an administrator approves')],
  ['closed', t('No one')],
]

export const modeDescriptions: Record<RegistrationMode, string> = {
  open: t('Everyone who reaches this server can create an account.'),
  invite: t('They need an invite to a space, or one of the invites to this server.'),
  approval: t(
    'People apply, and an administrator decides. People with an invite to this server don’t need approval.',
  ),
  closed: t('Nobody can create an account, not even with an invite.'),
}

/** Settings for puzzles on sign-up, as answers to "Check for bots". */
export const puzzleLabels: readonly (readonly [PuzzleMode, string])[] = [
  ['off', t('Never')],
  ['attack', t('When unusually many people sign up')],
  ['always', t('Always')],
]

export const puzzleDescriptions: Record<PuzzleMode, string> = {
  off: t('Programs can create accounts as fast as the server’s limits allow.'),
  attack: t('The rest of the time, people don’t notice the check.'),
  always: t('The browser computes for a few seconds before it can create an account.'),
}
