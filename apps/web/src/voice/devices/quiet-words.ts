import { t } from '#src/language/texts.ts'
import type { QuietTrouble } from '../control/quiet/quiet.ts'

/** Explains why the microphone is not filtered. The microphone works without the filter. */
export const quietWords: Readonly<Record<QuietTrouble, string>> = {
  failed: t('Strong noise suppression couldn’t be loaded. Your microphone works without it.'),
  unsupported: t(
    'This browser can’t use strong noise suppression with this microphone. Your microphone works without it.',
  ),
  asleep: t('Strong noise suppression starts with your next click or key press.'),
}
