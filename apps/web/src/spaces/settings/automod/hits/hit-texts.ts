import type { AutomodHit, AutomodRule } from '@foyer/protocol/automod'
import { t } from '#src/language/texts.ts'

/** Says what happened to something that was caught, as far as its rule still tells; the mode is that of its time. */
export function outcomeText(hit: Pick<AutomodHit, 'mode' | 'source'>, rule: AutomodRule | undefined): string {
  const isTest = hit.mode === 'test'
  if (rule === undefined) return isTest ? t('Would have been caught') : t('Caught')
  // Only messages can be held.
  if (rule.action === 'hold' && hit.source === 'message')
    return isTest ? t('Would have been held') : t('Held for review')
  return isTest ? t('Would have been refused') : t('Refused')
}
