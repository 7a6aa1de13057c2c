import type { AutomodHit, AutomodRule } from '@foyer/protocol/automod'
import { t } from '#src/language/texts.ts'

/** Describes the outcome of a hit, by the mode at the time of the hit and the rule's current action, if the rule still exists. */
export function outcomeText(hit: Pick<AutomodHit, 'mode' | 'source'>, rule: AutomodRule | undefined): string {
  const isTest = hit.mode === 'test'
  if (rule === undefined) return isTest ? t('Would have been caught') : t('Caught')
  // Only messages can be held.
  if (rule.action === 'hold' && hit.source === 'message')
    return isTest ? t('Would have been held') : t('Held for review')
  return isTest ? t('Would have been refused') : t('Refused')
}
