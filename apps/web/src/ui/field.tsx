import { Field } from '@base-ui/react/field'
import { type ComponentProps, useContext } from 'react'
import './field.css'
import { FieldErrors } from './field-errors.ts'

type TextFieldProps = Omit<ComponentProps<typeof Field.Control>, 'className' | 'name'> & {
  name: string
  label: string
  hint?: string
}

/** A labelled input of a form, which shows what the form has against it. */
export function TextField({ name, label, hint, ...control }: TextFieldProps) {
  const error = useContext(FieldErrors)[name]
  return (
    <Field.Root name={name} invalid={error !== undefined} className="field">
      <Field.Label className="field-label">{label}</Field.Label>
      <Field.Control {...control} className="field-control" />
      {hint !== undefined && error === undefined && (
        <Field.Description className="field-hint">{hint}</Field.Description>
      )}
      <Field.Error match={error !== undefined} className="field-error">
        {error}
      </Field.Error>
    </Field.Root>
  )
}
