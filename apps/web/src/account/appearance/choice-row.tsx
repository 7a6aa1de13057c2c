import { useId } from 'react'
import '#src/ui/fields/field.css'
import './choice-row.css'

interface ChoiceRowProps<T extends string> {
  label: string
  hint?: string
  /** Pairs of value and label. */
  options: readonly (readonly [value: T, label: string])[]
  value: T
  onChange: (value: T) => void
}

/** A row of radio buttons. */
export function ChoiceRow<T extends string>({ label, hint, options, value, onChange }: ChoiceRowProps<T>) {
  const id = useId()
  return (
    <fieldset className="choice-row" aria-describedby={hint === undefined ? undefined : `${id}-hint`}>
      <legend className="field-label">{label}</legend>
      <div className="choices">
        {options.map(([option, text]) => (
          <label key={option} className="choice">
            <input type="radio" name={id} checked={option === value} onChange={() => onChange(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </fieldset>
  )
}
