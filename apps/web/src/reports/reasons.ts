import type { ReportReason, ReportResult } from '@foyer/protocol/reports'
import { t } from '#src/language/texts.ts'

/** Reasons for a report, as answers to "What’s wrong?", in display order. */
export const reasonLabels: readonly (readonly [ReportReason, string])[] = [
  ['spam', t('Spam')],
  ['fraud', t('Fraud or a scam')],
  ['harassment', t('Harassment or bullying')],
  ['hate', t('Hate against a group')],
  ['violence', t('Violence or threats')],
  ['sexual', t('Unwanted sexual content')],
  ['minors', t('Danger to children')],
  ['self_harm', t('Suicide or self-harm')],
  ['impersonation', t('Pretending to be someone else')],
  ['illegal', t('Something illegal')],
  ['other', t('Something else')],
]

const labels = new Map(reasonLabels)

export function reasonLabel(reason: ReportReason): string {
  return labels.get(reason) ?? reason
}

export const resultLabels: Record<ReportResult, string> = {
  acted: t('Action was taken'),
  no_violation: t('No rules were broken'),
}
