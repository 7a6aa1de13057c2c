import { useId } from 'react'
import './field.css'
import './select-field.css'

interface SelectFieldProps {
  name: string
  label: string
  /** Value and what it is called. */
  options: readonly (readonly [value: string, label: string])[]
  /** The chosen one, where that is kept outside; else the first is chosen at first. */
  value?: string
  onChange?: (value: string) => void
}

/** One of a few. The browser's own list: it is usable on every device. */
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
