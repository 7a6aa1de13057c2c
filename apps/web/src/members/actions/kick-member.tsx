import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { ReasonField } from './reason-field.tsx'

interface KickMemberProps {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

export function KickMember({ space, member, name, onClose, focusAfter }: KickMemberProps) {
  const { client } = useSession()

  async function kick({ reason = '' }: Values) {
    const given = reason.trim()
    await client.members.kick(space.id, member.id, given === '' ? {} : { reason: given })
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Kick {name}?', { name })}
      description={t(
        'They’ll be removed from {name} immediately and can rejoin with an invite. Their messages stay.',
        { name: space.name },
      )}
      focusAfter={focusAfter}
    >
      <SubmitForm fields={['reason']} submit={kick}>
        {(pending) => (
          <>
            <ReasonField reason={null} hint={t('Optional. Only people who can view the audit log see it.')} />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {t('Kick')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
