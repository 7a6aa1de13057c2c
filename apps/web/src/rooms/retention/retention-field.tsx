import { t } from '#src/language/texts.ts'
import { type Days, KeepField, optionOf } from '#src/ui/fields/keep-field.tsx'
import { keptFor } from '#src/ui/time/kept-for.ts'

interface RetentionFieldProps {
  /** Null for a room uses the setting of its space. Null for a space keeps messages forever. */
  days: Days
  /** The setting of the space, for a room; undefined for the space itself. */
  inherited?: Days | undefined
  save: (days: Days) => Promise<void>
}

const choices: readonly number[] = [1, 7, 30, 90, 365]

/** Sets how long messages are kept. */
export function RetentionField({ days, inherited, save }: RetentionFieldProps) {
  return (
    <KeepField
      name="retention_days"
      label={t('Keep messages for')}
      options={optionsWith(days, inherited)}
      days={days}
      none={inherited ?? undefined}
      save={save}
      title={t('Keep messages for less time?')}
      action={t('Delete older messages')}
      warning={(shorter) =>
        t(
          'Messages older than {time} will be deleted for everyone, with their files and pins, now and in the future. This can’t be undone.',
          { time: keptFor(shorter ?? inherited) },
        )
      }
    />
  )
}

/** Returns the choices, and the current value if it was set through the API and is not among them. */
function optionsWith(days: Days, inherited: Days | undefined): [string, string][] {
  const offered = [...new Set([...choices, ...(days === null ? [] : [days])])].sort((a, b) => a - b)
  const none =
    inherited === undefined ? keptFor(null) : t('Space default ({time})', { time: keptFor(inherited) })
  return [['', none], ...offered.map((one): [string, string] => [optionOf(one), keptFor(one)])]
}
