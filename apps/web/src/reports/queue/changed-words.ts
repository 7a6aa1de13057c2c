import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

const changed = t('Someone else has changed this report. Check it again before you continue.')

/** Texts for a report that another person has changed first. */
export const changedWords: Words = { report_changed: changed, unknown_report: changed }
