import { Field } from '@base-ui/react/field'
import type { ComponentProps } from 'react'
import './field.css'

type TextFieldProps = Omit<ComponentProps<typeof Field.Control>, 'className' | 'name'> & {
  name: string
  label: string
  hint?: string
}

/** A labelled input of a `Form`, which shows the error that the form has for its name. */
export function TextField({ name, label, hint, ...control }: TextFieldProps) {
  return (
    <Field.Root name={name} className="field">
      <Field.Label className="field-label">{label}</Field.Label>
      <Field.Control {...control} className="field-control" />
      {hint !== undefined && <Field.Description className="field-hint">{hint}</Field.Description>}
      <Field.Error className="field-error" />
    </Field.Root>
  )
}
