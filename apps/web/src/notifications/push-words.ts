import { t } from '#src/language/texts.ts'
import type { PushWords } from '#src/worker/push-words.ts'

/** In the reader's language; the names in braces are filled in for each notification. */
export function pushWords(): PushWords {
  return {
    inRoom: t('{author} (#{room}, {space})'),
    inGroup: t('{author} ({group})'),
    call: t('is calling you'),
    file: t('Sent a file'),
    files: t('Sent {count} files'),
    message: t('Sent a message'),
  }
}
