import { useId } from 'react'
import './field.css'
import './select-field.css'

interface SelectFieldProps {
  name: string
  label: string
  /** Pairs of value and label. */
  options: readonly (readonly [value: string, label: string])[]
  /** Value of a controlled field. Otherwise the first option is selected initially. */
  value?: string
  onChange?: (value: string) => void
}

/** A native select, which works on every device. */
export function SelectField({ name, label, options, value, onChange }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        name={name}
        value={value}
        className="field-control select-field"
        onChange={(event) => onChange?.(event.target.value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
