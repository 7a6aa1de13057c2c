import { MAX_WEBHOOKS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

export const webhookWords: Words = {
  too_many_webhooks: t('This room already has {max} webhooks. Delete one or choose another room.', {
    max: MAX_WEBHOOKS,
  }),
  unknown_webhook: t('This webhook no longer exists.'),
}
