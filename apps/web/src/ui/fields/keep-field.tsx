import { type ComponentProps, useState } from 'react'
import { Confirm } from '../dialogs/confirm.tsx'
import { ErrorLine } from '../loading/error-line.tsx'
import { SelectField } from './select-field.tsx'
import { useAction } from './use-action.ts'

/** Null means forever, or the inherited number. */
export type Days = number | null

interface KeepFieldProps extends Pick<ComponentProps<typeof SelectField>, 'name' | 'label' | 'options'> {
  days: Days
  /** Number of days that null stands for; infinite by default. */
  none?: number | undefined
  save: (days: Days) => Promise<void>
  /** Title and button of the dialog for a shorter time. */
  title: string
  action: string
  /** Returns a warning about the deletion. */
  warning: (days: Days) => string
}

/** Sets how many days data is kept. A shorter time, which deletes data, needs a confirmation. */
export function KeepField(props: KeepFieldProps) {
  const { name, label, options, days, none = Number.POSITIVE_INFINITY, save, title, action, warning } = props
  const saving = useAction()
  /** The days to be confirmed; undefined while there are none. */
  const [shorter, setShorter] = useState<Days>()
  const lengthOf = (chosen: Days) => chosen ?? none

  function choose(value: string) {
    const chosen = value === '' ? null : Number(value)
    if (lengthOf(chosen) < lengthOf(days)) setShorter(chosen)
    else saving.run(() => save(chosen))
  }

  return (
    <>
      <SelectField name={name} label={label} options={options} value={optionOf(days)} onChange={choose} />
      <ErrorLine message={saving.error} />
      <Confirm
        open={shorter !== undefined}
        onOpenChange={() => setShorter(undefined)}
        title={title}
        action={action}
        run={() => save(shorter ?? null)}
      >
        <p>{warning(shorter ?? null)}</p>
      </Confirm>
    </>
  )
}

/** Returns the value of the option for these days. */
export function optionOf(days: Days): string {
  return days === null ? '' : String(days)
}
