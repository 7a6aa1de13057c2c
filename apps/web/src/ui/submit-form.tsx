import { Form } from '@base-ui/react/form'
import { type ReactNode, useState } from 'react'
import './field.css'
import { type FormErrors, formErrors } from './form-errors.ts'

interface SubmitFormProps {
  /** Names of the fields, which errors may be about. */
  fields: readonly string[]
  /** What to complain about before anything is sent. */
  check?: (values: Values) => FormErrors
  submit: (values: Values) => Promise<void>
  children: (pending: boolean) => ReactNode
}

export type Values = Readonly<Record<string, string>>

/** A form that sends itself once at a time and shows what the server had against it. */
export function SubmitForm({ fields, check, submit, children }: SubmitFormProps) {
  const [errors, setErrors] = useState<FormErrors>({})
  const [pending, setPending] = useState(false)

  async function send(values: Values) {
    const wrong = check?.(values) ?? {}
    setErrors(wrong)
    if (pending || Object.keys(wrong).length > 0) return
    setPending(true)
    try {
      await submit(values)
    } catch (error) {
      setErrors(formErrors(error, fields))
    }
    setPending(false)
  }

  return (
    <Form
      className="form"
      noValidate
      errors={errors}
      onSubmit={(event) => {
        event.preventDefault()
        void send(readValues(event.currentTarget, fields))
      }}
    >
      {children(pending)}
      <p role="alert" hidden={errors.form === undefined} className="form-error">
        {errors.form}
      </p>
    </Form>
  )
}

function readValues(form: HTMLFormElement, fields: readonly string[]): Values {
  const data = new FormData(form)
  return Object.fromEntries(fields.map((name) => [name, String(data.get(name) ?? '')]))
}
