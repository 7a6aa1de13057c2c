import type { Door, UpdateDoorBody } from '@foyer/protocol/door'
import { MAX_SENSOR_JOINS, MIN_SENSOR_JOINS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { useUpdateDoor } from '../../door/use-update-door.ts'
import { checkJoins } from './check-joins.ts'

/** Sets whether the door closes by itself in a raid, and after how many joins within a minute. */
export function SensorFields({ door }: { door: Door }) {
  const update = useUpdateDoor(door.space_id)
  const switching = useAction()

  return (
    <>
      <SwitchRow
        label={t('Close the door automatically')}
        description={t(
          'When many people join within a minute, or new members flood the rooms with messages, the door closes. The newest members wait, too, and moderators are notified.',
        )}
        checked={door.sensor}
        disabled={switching.pending}
        onChange={(sensor) => switching.run(() => update({ sensor }))}
      />
      <ErrorLine message={switching.error} />
      {door.sensor && <JoinsForm key={door.sensor_joins} joins={door.sensor_joins} save={update} />}
    </>
  )
}

interface JoinsFormProps {
  joins: number
  save: (body: UpdateDoorBody) => Promise<void>
}

function JoinsForm({ joins, save }: JoinsFormProps) {
  return (
    <SubmitForm
      fields={['sensor_joins']}
      check={checkNumber}
      submit={({ sensor_joins }) => save({ sensor_joins: Number(sensor_joins) })}
      guardsChanges
    >
      {(pending) => (
        <div className="field-and-button">
          <TextField
            name="sensor_joins"
            type="number"
            inputMode="numeric"
            label={t('Joins within a minute')}
            hint={t(
              'The door closes when this many people join, if that’s also at least three times as many as usual.',
            )}
            min={MIN_SENSOR_JOINS}
            max={MAX_SENSOR_JOINS}
            defaultValue={joins}
          />
          <Button type="submit" pending={pending}>
            {t('Save')}
          </Button>
        </div>
      )}
    </SubmitForm>
  )
}

function checkNumber({ sensor_joins = '' }: Values): FormErrors {
  const error = checkJoins(sensor_joins)
  return error === undefined ? {} : { sensor_joins: error }
}
