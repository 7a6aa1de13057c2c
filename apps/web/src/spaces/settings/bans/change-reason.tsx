import type { Ban } from '@foyer/protocol/bans'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { ReasonField } from '#src/members/actions/reason-field.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

interface ChangeReasonProps {
  ban: Ban
  name: string
}

/** A button and dialog to edit the reason of a ban. */
export function ChangeReason({ ban, name }: ChangeReasonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('Edit ban reason for {name}', { name })}
        icon={<Pencil />}
        onClick={() => setOpen(true)}
      />
      {open && <ReasonDialog ban={ban} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

interface ReasonDialogProps extends ChangeReasonProps {
  onClose: () => void
}

function ReasonDialog({ ban, name, onClose }: ReasonDialogProps) {
  const { client } = useSession()
  const isOwn = useAppState((state) => state.me?.id === ban.banned_by)

  async function save({ reason = '' }: Values) {
    await client.bans.create(ban.space_id, ban.user_id, { reason: reason.trim() || null })
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Why is {name} banned?', { name })}
      {...(isOwn ? {} : { description: t('After saving, you’ll be shown as the person who banned them.') })}
    >
      <SubmitForm fields={['reason']} submit={save}>
        {(pending) => (
          <>
            <ReasonField reason={ban.reason} hint={t('Optional. Only people who can ban members see it.')} />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Save')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
