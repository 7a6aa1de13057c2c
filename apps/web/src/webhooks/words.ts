import { MAX_WEBHOOKS } from '@foyer/protocol/limits'
import type { Words } from '#src/ui/form-errors.ts'

export const webhookWords: Words = {
  too_many_webhooks: `The room has ${MAX_WEBHOOKS} webhooks already. Delete one, or choose another room.`,
  unknown_webhook: 'This webhook is not there any more.',
}
