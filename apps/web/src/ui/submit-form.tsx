import { type ReactNode, useEffect, useRef, useState } from 'react'
import './field.css'
import { FieldErrors } from './field-errors.ts'
import { type FormErrors, formErrors, type Words } from './form-errors.ts'
import { isTouch } from './is-touch.ts'
import { useUnsavedChanges } from './unsaved-changes.ts'

interface SubmitFormProps {
  /** Names of the fields, which errors may be about. */
  fields: readonly string[]
  /** What to complain about before anything is sent. */
  check?: (values: Values) => FormErrors
  submit: (values: Values) => Promise<void>
  /** Whether the page begins in this form. */
  beginsHere?: boolean
  /** What to say about refusals, where the server's message does not help here. */
  words?: Words
  /** Whether settings around it ask before what was changed here and not sent is thrown away. */
  guardsChanges?: boolean
  children: (pending: boolean) => ReactNode
}

export type Values = Readonly<Record<string, string>>

const NONE: FormErrors = {}

/** A form that sends itself once at a time and shows what the server had against it, where it had it. */
export function SubmitForm(props: SubmitFormProps) {
  const { fields, check, submit, beginsHere = false, words, guardsChanges = false, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FormErrors>(NONE)
  const [pending, setPending] = useState(false)
  const [changed, setChanged] = useState(false)
  useUnsavedChanges(guardsChanges && changed)

  useEffect(() => {
    // On glass this would call up a keyboard over what one came to read.
    if (beginsHere && !isTouch()) form.current?.querySelector('input')?.focus()
  }, [beginsHere])

  useEffect(() => {
    if (errors === NONE) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    // Below a long form it is out of sight.
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
        {children(pending)}
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
