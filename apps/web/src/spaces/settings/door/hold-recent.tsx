import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { LOSE_ACCESS, recentMembers } from '../../door/recent-members.ts'

/** Lets recent members wait, too, after the door has closed: the first ones of a raid may have joined before. */
export function HoldRecent({ spaceId }: { spaceId: string }) {
  const { client, store } = useSession()
  const [minutes, setMinutes] = useState<string>(recentMembers[0][0])

  async function hold() {
    const door = await client.door.update(spaceId, { closed: true, joined_minutes: Number(minutes) })
    store.adopt('SPACE_DOOR_UPDATE', door)
  }

  return (
    <details className="door-more">
      <summary>{t('Did some of them join before?')}</summary>
      <SubmitForm fields={[]} submit={hold}>
        {(pending) => (
          <>
            <SelectField
              name="minutes"
              label={t('Also make wait')}
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
