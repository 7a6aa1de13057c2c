import {
  type ChangeEvent,
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useId,
} from 'react'
import './field.css'
import { FieldErrors } from './field-errors.ts'

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'id' | 'name' | 'onChange'> & {
  name: string
  label: string
  hint?: string | undefined
  /** Content at the end of the field, such as a button. */
  end?: ReactNode
  onValueChange?: (value: string) => void
  /** Replaces the input, for example with a textarea. */
  render?: ReactElement<ComponentProps<'input'>>
}

/** A labelled input that shows its error from the surrounding form. */
export function TextField(props: TextFieldProps) {
  const { label, hint, end, onValueChange, render = <input />, ...control } = props
  const error = useContext(FieldErrors)[control.name]
  const id = useId()
  const note = error ?? hint
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className={end === undefined ? undefined : 'field-and-end'}>
        {cloneElement(render, {
          dir: 'auto',
          ...control,
          id,
          className: 'field-control',
          'aria-invalid': error !== undefined || undefined,
          'aria-describedby': note === undefined ? undefined : `${id}-note`,
          onChange: (event: ChangeEvent<HTMLInputElement>) => onValueChange?.(event.target.value),
        })}
        {end}
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? 'field-hint' : 'field-error'}>
          {note}
        </p>
      )}
    </div>
  )
}
