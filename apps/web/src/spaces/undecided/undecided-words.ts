import { counted, t } from '#src/language/texts.ts'
import type { Undecided } from './undecided.ts'

/** Maximum exact number. Larger ones are shown as "more than 99". */
const MOST = 99

export function reportsWaiting(count: number): string {
  if (count > MOST) return t('More than 99 reports are waiting.')
  return counted(count, '{count} report is waiting.', '{count} reports are waiting.')
}

export function appealsWaiting(count: number): string {
  if (count > MOST) return t('More than 99 appeals are waiting.')
  return counted(count, '{count} appeal is waiting.', '{count} appeals are waiting.')
}

export function sentencesOf({ reports, appeals }: Undecided): string {
  return [reports > 0 && reportsWaiting(reports), appeals > 0 && appealsWaiting(appeals)]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
