import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { LOSE_ACCESS, recentMembers } from '../../door/recent-members.ts'
import { useUpdateDoor } from '../../door/use-update-door.ts'

/** Makes recent members wait, too, after the door has closed: a raid may have begun before that. */
export function HoldRecent({ spaceId }: { spaceId: string }) {
  const update = useUpdateDoor(spaceId)
  const [minutes, setMinutes] = useState<string>(recentMembers[0][0])

  const hold = () => update({ closed: true, joined_minutes: Number(minutes) })

  return (
    <details className="door-more">
      <summary>{t('Did the raid begin before the door closed?')}</summary>
      <SubmitForm fields={[]} submit={hold}>
        {(pending) => (
          <>
            <SelectField
              name="minutes"
              label={t('Who else must wait')}
              options={recentMembers}
              value={minutes}
              onChange={setMinutes}
            />
            <p className="field-hint">{LOSE_ACCESS}</p>
            <div className="form-actions">
              <Button type="submit" pending={pending}>
                {t('Make them wait')}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </details>
  )
}
