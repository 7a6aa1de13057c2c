import type { Webhook } from '@foyer/protocol/webhooks'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { webhookWords } from './words.ts'

interface DeleteWebhookProps {
  webhook: Webhook
  focusAfter?: RefObject<HTMLElement | null>
  onClose: () => void
  onDelete: (webhookId: string) => void
}

export function DeleteWebhook({ webhook, focusAfter, onClose, onDelete }: DeleteWebhookProps) {
  const { client } = useSession()

  async function remove() {
    await client.webhooks.delete(webhook.id)
    onDelete(webhook.id)
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Delete {name}?', { name: webhook.name })}
      action={t('Delete')}
      run={remove}
      words={webhookWords}
      {...(focusAfter !== undefined && { focusAfter })}
    >
      <p>{t('Its URL will stop working immediately. Messages it posted will stay.')}</p>
    </Confirm>
  )
}
