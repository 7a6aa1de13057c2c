import type { AutomodTrial } from '@foyer/protocol/automod'
import { counted, t } from '#src/language/texts.ts'

/** Returns a sentence with the number of messages that a rule would have caught. */
export function trialText({ checked, caught }: AutomodTrial): string {
  if (checked === 0) return t('There are no messages to try the rule on yet.')
  return counted(
    checked,
    'Would have caught {caught} of {count} message.',
    'Would have caught {caught} of the last {count} messages.',
    { caught },
  )
}
