import type { AutomodMode } from '@foyer/protocol/automod'
import { t } from '#src/language/texts.ts'
import { modeTexts } from './rule-texts.ts'

const modes: readonly AutomodMode[] = ['on', 'test', 'off']

interface ModeChipProps {
  /** Name of the rule. */
  name: string
  mode: AutomodMode
  isPending: boolean
  onChange: (mode: AutomodMode) => void
}

/** Shows the mode of a rule and changes it: a native select, which works on every device. */
export function ModeChip({ name, mode, isPending, onChange }: ModeChipProps) {
  return (
    <select
      className="automod-mode"
      data-mode={mode}
      aria-label={t('Mode of {name}', { name })}
      aria-busy={isPending || undefined}
      value={mode}
      onChange={({ target }) => onChange(modes.find((each) => each === target.value) ?? mode)}
    >
      {modes.map((each) => (
        <option key={each} value={each}>
          {modeTexts[each]}
        </option>
      ))}
    </select>
  )
}
