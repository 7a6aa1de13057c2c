import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { ReasonField } from './reason-field.tsx'

interface BanDialogProps {
  space: SpaceEntry
  userId: string
  isMember: boolean
  name: string
  onClose: () => void
  onBanned?: () => void
}

const HOUR = 3600

const deletions = [
  ['0', t('Don’t delete any')],
  [String(HOUR), t('Last hour')],
  [String(24 * HOUR), t('Last 24 hours')],
  [String(7 * 24 * HOUR), t('Last 7 days')],
] as const

export function BanDialog({ space, userId, isMember, name, onClose, onBanned }: BanDialogProps) {
  const { client } = useSession()

  async function ban({ reason = '', delete_seconds = '0' }: Values) {
    await client.bans.create(space.id, userId, {
      reason: reason.trim() || null,
      delete_seconds: Number(delete_seconds),
    })
    onBanned?.()
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Ban {name}?', { name })}
      description={
        isMember
          ? t('They’ll be removed from {name} immediately and can’t rejoin with any invite.', {
              name: space.name,
            })
          : t('They won’t be able to join {name} with any invite. This replaces any existing ban.', {
              name: space.name,
            })
      }
    >
      <SubmitForm fields={['reason', 'delete_seconds']} submit={ban}>
        {(pending) => (
          <>
            <ReasonField reason={null} hint={t('Optional. Only people who can ban members see it.')} />
            <SelectField name="delete_seconds" label={t('Delete message history')} options={deletions} />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {t('Ban')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
