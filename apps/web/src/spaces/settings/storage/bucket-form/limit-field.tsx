import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import '#src/ui/fields/select-field.css'
import { isUnit, UNITS, type WrittenLimit } from './byte-limit.ts'
import './limit-field.css'

interface LimitFieldProps {
  name: string
  label: string
  hint: string
  limit: WrittenLimit
  onChange: (limit: WrittenLimit) => void
}

/** A size with a unit to choose; empty means no limit. */
export function LimitField({ name, label, hint, limit, onChange }: LimitFieldProps) {
  return (
    <div className="limit-field">
      <TextField
        name={name}
        label={label}
        hint={hint}
        inputMode="decimal"
        autoComplete="off"
        placeholder={t('No limit')}
        value={limit.amount}
        onValueChange={(amount) => onChange({ ...limit, amount })}
      />
      <select
        className="field-control select-field"
        aria-label={t('Unit for {label}', { label })}
        value={limit.unit}
        onChange={({ target }) => isUnit(target.value) && onChange({ ...limit, unit: target.value })}
      >
        {UNITS.map((unit) => (
          <option key={unit}>{unit}</option>
        ))}
      </select>
    </div>
  )
}
