import { DoorClosed } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { LOSE_ACCESS, recentMembers } from './recent-members.ts'
import { useUpdateDoor } from './use-update-door.ts'

const spans = [['0', t('No one')], ...recentMembers] as const

interface CloseDoorFormProps {
  spaceId: string
  /** Cancel button, shown before the submit button. */
  cancel?: ReactNode
  onClosed?: () => void
}

/** Closes the door, so that people who join wait for a moderator. Recent members can be made to wait as well. */
export function CloseDoorForm({ spaceId, cancel, onClosed }: CloseDoorFormProps) {
  const update = useUpdateDoor(spaceId)
  const [minutes, setMinutes] = useState('0')

  async function close() {
    await update({ closed: true, joined_minutes: Number(minutes) })
    onClosed?.()
  }

  return (
    <SubmitForm fields={[]} submit={close}>
      {(pending) => (
        <>
          <SelectField
            name="minutes"
            label={t('Who else must wait')}
            options={spans}
            value={minutes}
            onChange={setMinutes}
          />
          {minutes !== '0' && <p className="field-hint">{LOSE_ACCESS}</p>}
          <div className="form-actions">
            {cancel}
            <Button type="submit" look="primary" pending={pending}>
              <DoorClosed aria-hidden="true" /> {t('Close the door')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}
