import { t } from '#src/language/texts.ts'
import type { PushWords } from '#src/worker/push-words.ts'

/** Returns the texts of pushes in the user's language. The worker fills in the placeholders. */
export function pushWords(): PushWords {
  return {
    inRoom: t('{author} (#{room}, {space})'),
    inGroup: t('{author} ({group})'),
    call: t('is calling you'),
    raidTitle: t('{space}: the door is closed'),
    raid: t('This looks like a raid. Decide who may stay.'),
    file: t('Sent a file'),
    files: t('Sent {count} files'),
    message: t('Sent a message'),
    testTitle: t('Test notification'),
    test: t('Notifications work on this device.'),
  }
}
