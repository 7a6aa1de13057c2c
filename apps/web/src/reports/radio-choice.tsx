import { useContext, useId } from 'react'
import { FieldErrors } from '#src/ui/fields/field-errors.ts'
import './reporting.css'

interface RadioChoiceProps {
  name: string
  label: string
  /** Pairs of value and label. */
  options: readonly (readonly [value: string, label: string])[]
}

/** Radio buttons of a form. None is preselected. */
export function RadioChoice({ name, label, options }: RadioChoiceProps) {
  const { [name]: error } = useContext(FieldErrors)
  const id = useId()
  return (
    <div
      role="radiogroup"
      className="report-reasons"
      tabIndex={-1}
      aria-labelledby={id}
      aria-required="true"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <p id={id} className="field-label">
        {label}
      </p>
      {options.map(([value, text]) => (
        <label key={value} className="report-choice">
          <input type="radio" name={name} value={value} />
          <span>{text}</span>
        </label>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}
