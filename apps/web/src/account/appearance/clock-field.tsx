import { CLOCK_KEY, chosenClock } from '#src/language/choice.ts'
import { t } from '#src/language/texts.ts'
import { SelectField } from '#src/ui/fields/select-field.tsx'

const options = [
  ['', t('Language default')],
  ['h12', t('12-hour clock')],
  ['h23', t('24-hour clock')],
] as const

/** Choice between the 12-hour and the 24-hour clock. */
export function ClockField() {
  return (
    <SelectField
      name="clock"
      label={t('Time format')}
      value={chosenClock() ?? ''}
      options={options}
      onChange={choose}
    />
  )
}

/** Reloads the page, because formatted times do not change by themselves. */
function choose(clock: string): void {
  if (clock === '') window.localStorage.removeItem(CLOCK_KEY)
  else window.localStorage.setItem(CLOCK_KEY, clock)
  window.location.reload()
}
