import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { keptFor } from '#src/ui/time/kept-for.ts'

type Days = number | null

interface RetentionFieldProps {
  /** Null keeps messages as long as `inherited` says. */
  days: Days
  /** Days of the space, for a room; undefined for a space, which has none above it. */
  inherited?: Days | undefined
  save: (days: Days) => Promise<void>
}

const choices: readonly number[] = [1, 7, 30, 90, 365]

/** Sets how long messages are kept. A shorter time, which deletes messages, is confirmed. */
export function RetentionField({ days, inherited, save }: RetentionFieldProps) {
  const saving = useAction()
  /** The days to be confirmed; undefined while there are none. */
  const [shorter, setShorter] = useState<Days>()
  const lengthOf = (chosen: Days) => chosen ?? inherited ?? Number.POSITIVE_INFINITY

  function choose(value: string) {
    const chosen = value === '' ? null : Number(value)
    if (lengthOf(chosen) < lengthOf(days)) setShorter(chosen)
    else saving.run(() => save(chosen))
  }

  return (
    <>
      <SelectField
        name="retention_days"
        label={t('Keep messages for')}
        options={optionsWith(days, inherited)}
        value={optionOf(days)}
        onChange={choose}
      />
      <ErrorLine message={saving.error} />
      <Confirm
        open={shorter !== undefined}
        onOpenChange={() => setShorter(undefined)}
        title={t('Keep messages for less time?')}
        action={t('Delete older messages')}
        run={() => save(shorter ?? null)}
      >
        <p>
          {t(
            'Messages older than {time} will be deleted for everyone, with their files and pins, also in the future. This can’t be undone.',
            { time: keptFor(shorter ?? inherited) },
          )}
        </p>
      </Confirm>
    </>
  )
}

/** Returns the choices, and the current one if the API set another. */
function optionsWith(days: Days, inherited: Days | undefined): [string, string][] {
  const offered = [...new Set([...choices, ...(days === null ? [] : [days])])].sort((a, b) => a - b)
  const none =
    inherited === undefined ? keptFor(null) : t('As in the space: {time}', { time: keptFor(inherited) })
  return [['', none], ...offered.map((one): [string, string] => [optionOf(one), keptFor(one)])]
}

function optionOf(days: Days): string {
  return days === null ? '' : String(days)
}
