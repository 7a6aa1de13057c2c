import { type ReactNode, useEffect, useRef, useState } from 'react'
import './field.css'
import { useUnsavedChanges } from '../dialogs/unsaved-changes.ts'
import { isTouch } from '../is-touch.ts'
import { FieldErrors, FormFailure } from './field-errors.ts'
import { type FormErrors, formErrors, type Words } from './form-errors.ts'

interface SubmitFormProps {
  /** Names of the fields that errors can belong to. */
  fields: readonly string[]
  /** Validates the values before submitting. */
  check?: (values: Values) => FormErrors
  submit: (values: Values) => Promise<void>
  /** Focuses the first field when the page opens. */
  beginsHere?: boolean
  /** Texts for error codes whose server message does not help here. */
  words?: Words
  /** Registers unsaved changes, so that surrounding settings ask before discarding them. */
  guardsChanges?: boolean
  children: (pending: boolean) => ReactNode
}

export type Values = Readonly<Record<string, string>>

const NONE: FormErrors = {}

/** A form that submits once at a time and shows errors at their fields. */
export function SubmitForm(props: SubmitFormProps) {
  const { fields, check, submit, beginsHere = false, words, guardsChanges = false, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FormErrors>(NONE)
  const [failure, setFailure] = useState<unknown>(null)
  const [pending, setPending] = useState(false)
  const [changed, setChanged] = useState(false)
  useUnsavedChanges(guardsChanges && changed)

  useEffect(() => {
    // On touch screens the keyboard would cover the text above the form.
    if (beginsHere && !isTouch()) form.current?.querySelector('input')?.focus()
  }, [beginsHere])

  useEffect(() => {
    if (errors === NONE) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    // At the end of a long form the error may be outside of the view.
    if (errors.form !== undefined) form.current?.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }, [errors])

  async function send(values: Values) {
    const wrong = check?.(values) ?? {}
    setErrors(Object.keys(wrong).length > 0 ? wrong : NONE)
    if (pending || Object.keys(wrong).length > 0) return
    setPending(true)
    try {
      await submit(values)
      setChanged(false)
    } catch (error) {
      setErrors(formErrors(error, fields, words))
      setFailure(error)
    }
    setPending(false)
  }

  return (
    <FieldErrors value={errors}>
      <form
        ref={form}
        className="form"
        noValidate
        onInput={() => {
          setErrors(NONE)
          setChanged(true)
        }}
        onSubmit={(event) => {
          event.preventDefault()
          void send(readValues(event.currentTarget, fields))
        }}
      >
        <FormFailure value={failure}>{children(pending)}</FormFailure>
        <p role="alert" hidden={errors.form === undefined} className="form-error">
          {errors.form}
        </p>
      </form>
    </FieldErrors>
  )
}

function readValues(form: HTMLFormElement, fields: readonly string[]): Values {
  const data = new FormData(form)
  return Object.fromEntries(fields.map((name) => [name, String(data.get(name) ?? '')]))
}
