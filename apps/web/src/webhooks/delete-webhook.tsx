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

  const isFollow = webhook.source !== undefined
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={
        isFollow ? t('Unfollow {name}?', { name: webhook.name }) : t('Delete {name}?', { name: webhook.name })
      }
      action={isFollow ? t('Unfollow') : t('Delete')}
      run={remove}
      words={webhookWords}
      {...(focusAfter !== undefined && { focusAfter })}
    >
      <p>
        {isFollow
          ? t('No new messages will be copied. Messages already here stay.')
          : t('Its URL will stop working immediately. Messages it posted will stay.')}
      </p>
    </Confirm>
  )
}
