import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

const changed = t('Someone else changed this report in the meantime. Look at it again before you go on.')

/** Texts for changes of a report that somebody else was faster with. */
export const changedWords: Words = { report_changed: changed, unknown_report: changed }
