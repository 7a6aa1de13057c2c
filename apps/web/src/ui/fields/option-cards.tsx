import { useId } from 'react'
import './field.css'
import './option-cards.css'

interface OptionCardsProps<T extends string> {
  label: string
  options: readonly OptionCard<T>[]
  value: T
  onChange: (value: T) => void
}

interface OptionCard<T extends string> {
  readonly value: T
  readonly label: string
  readonly description: string
}

/** Radio buttons, each with a line that explains it. */
export function OptionCards<T extends string>({ label, options, value, onChange }: OptionCardsProps<T>) {
  const id = useId()
  return (
    <fieldset className="option-cards">
      <legend className="field-label">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="option-card choice">
          <input
            type="radio"
            name={id}
            checked={option.value === value}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={`${id}-${option.value}-description`}
            onChange={() => onChange(option.value)}
          />
          <span className="option-card-texts">
            <strong id={`${id}-${option.value}`}>{option.label}</strong>
            <span id={`${id}-${option.value}-description`}>{option.description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
