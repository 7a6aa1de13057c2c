import { useId } from 'react'
import './field.css'
import './select-field.css'

type Option = readonly [value: string, label: string]

interface SelectFieldProps {
  name: string
  label: string
  /** Pairs of value and label. */
  options: readonly Option[]
  /** More options, each group under a heading. */
  groups?: readonly { readonly label: string; readonly options: readonly Option[] }[]
  /** Value of a controlled field. Otherwise the first option is selected initially. */
  value?: string
  onChange?: (value: string) => void
}

/** A native select, which works on every device. */
export function SelectField({ name, label, options, groups = [], value, onChange }: SelectFieldProps) {
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
        <Options options={options} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <Options options={group.options} />
          </optgroup>
        ))}
      </select>
    </div>
  )
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(([option, text]) => (
    <option key={option} value={option}>
      {text}
    </option>
  ))
}
