import { MAX_WEBHOOK_SECRET } from '@foyer/protocol/limits'
import type { Webhook } from '@foyer/protocol/webhooks'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { webhookWords } from './words.ts'

interface WebhookSecretProps {
  webhook: Webhook
  onSave: (webhook: Webhook) => void
}

/** The secret that GitHub signs its deliveries with. The server never returns it. */
export function WebhookSecret({ webhook, onSave }: WebhookSecretProps) {
  const { client } = useSession()
  const [typed, setTyped] = useState('')

  async function save(secret: string | null) {
    onSave(await client.webhooks.update(webhook.id, { secret }))
    setTyped('')
  }

  return (
    <section aria-label={t('Secret for GitHub')}>
      <SubmitForm fields={['secret']} submit={() => save(typed)} words={webhookWords}>
        {(pending) => (
          <>
            <TextField
              name="secret"
              type="password"
              label={t('Secret for GitHub')}
              hint={
                webhook.has_secret
                  ? t('A secret is set. Enter a new one to replace it.')
                  : t('Enter the same secret on GitHub. Foyer then rejects deliveries without its signature.')
              }
              autoComplete="off"
              maxLength={MAX_WEBHOOK_SECRET}
              value={typed}
              onValueChange={setTyped}
            />
            <SaveBar isUnsaved={typed !== ''} pending={pending} onReset={() => setTyped('')} />
          </>
        )}
      </SubmitForm>
      {webhook.has_secret && (
        <SubmitForm fields={[]} submit={() => save(null)} words={webhookWords}>
          {(pending) => (
            <Button type="submit" look="quiet" pending={pending}>
              {t('Remove secret')}
            </Button>
          )}
        </SubmitForm>
      )}
    </section>
  )
}
