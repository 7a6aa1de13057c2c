import { limits } from '@foyer/protocol/limits'
import type { Member } from '@foyer/protocol/members'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'

interface NicknameDialogProps {
  space: Pick<SpaceEntry, 'id' | 'name'>
  member: Pick<Member, 'id' | 'nickname'>
  /** The name shown without a nickname. */
  username: string
  onClose: () => void
}

/** Changes the nickname of the signed-in user, or of a member with a lower rank. */
export function NicknameDialog({ space, member, username, onClose }: NicknameDialogProps) {
  const { client, store } = useSession()
  const isOwn = useAppState((state) => state.me?.id === member.id)

  async function save({ nickname = '' }: Values) {
    const body = { nickname: nickname.trim() || null }
    const saved = isOwn
      ? await client.members.updateMe(space.id, body)
      : await client.members.update(space.id, member.id, body)
    store.adopt('SPACE_MEMBER_UPDATE', saved)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={isOwn ? t('Change your nickname') : t('Change {username}’s nickname', { username })}
      description={t('Only shown in {name}.', { name: space.name })}
    >
      <SubmitForm fields={['nickname']} submit={save}>
        {(pending) => (
          <>
            <TextField
              name="nickname"
              label={t('Nickname')}
              hint={t('Leave empty to use the display name.')}
              autoComplete="off"
              maxLength={limits.nicknameMax}
              placeholder={username}
              defaultValue={member.nickname ?? ''}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Save nickname')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
