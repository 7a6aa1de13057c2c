import { limits, MAX_OPERATOR_INVITE_USES } from '@foyer/protocol/limits'
import type { OperatorInvite } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { CopyRow } from '#src/ui/buttons/copy-row.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { operatorWords } from '../words.ts'
import { signUpLink } from './sign-up-link.ts'

interface NewInviteProps {
  onMade: (invite: OperatorInvite) => void
  onClose: () => void
}

const DAY_SECONDS = 86_400

const ages = [
  [String(7 * DAY_SECONDS), t('After 7 days')],
  [String(DAY_SECONDS), t('After 1 day')],
  [String(30 * DAY_SECONDS), t('After 30 days')],
  ['0', t('Never')],
] as const

/** Creates an invite, then shows its link. */
export function NewInvite({ onMade, onClose }: NewInviteProps) {
  const { client } = useSession()
  const [made, setMade] = useState<OperatorInvite | null>(null)

  async function create({ note = '', max_uses = '', max_age = '' }: Values) {
    const invite = await client.api(Administration).createInvite({
      note: note.trim() || null,
      max_uses: Number(max_uses),
      max_age: Number(max_age),
    })
    onMade(invite)
    setMade(invite)
  }

  if (made !== null)
    return (
      <Modal
        open
        onOpenChange={onClose}
        title={t('Your invite is ready')}
        description={t('Send people this link. They create an account with it, without approval.')}
      >
        <CopyRow label={t('Invite link')} action={t('Copy link')} value={signUpLink(made)} />
        <div className="form-actions">
          <Button onClick={onClose}>{t('Close')}</Button>
        </div>
      </Modal>
    )
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Create an invite to this server')}
      description={t('People who have its link can create an account, without approval.')}
    >
      <SubmitForm
        fields={['max_uses', 'max_age', 'note']}
        check={checkUses}
        submit={create}
        words={operatorWords}
      >
        {(pending) => (
          <>
            <TextField
              name="max_uses"
              type="number"
              inputMode="numeric"
              label={t('Number of accounts')}
              hint={t('0 means no limit.')}
              min={0}
              max={MAX_OPERATOR_INVITE_USES}
              defaultValue={1}
            />
            <SelectField name="max_age" label={t('Expires')} options={ages} />
            <TextField
              name="note"
              label={t('Note')}
              hint={t('Optional. Only administrators see this note, for example who the invite is for.')}
              autoComplete="off"
              maxLength={limits.nameMax}
            />
            <div className="form-actions">
              <Button onClick={onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" pending={pending}>
                {t('Create invite')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}

function checkUses({ max_uses = '' }: Values): FormErrors {
  const count = Number(max_uses)
  if (max_uses.trim() !== '' && Number.isInteger(count) && count >= 0 && count <= MAX_OPERATOR_INVITE_USES)
    return {}
  return { max_uses: t('Enter a number from 0 to {max}.', { max: MAX_OPERATOR_INVITE_USES }) }
}
