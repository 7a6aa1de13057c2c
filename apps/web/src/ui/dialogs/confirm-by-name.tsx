import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '../buttons/button.tsx'
import { TextField } from '../fields/field.tsx'
import type { Words } from '../fields/form-errors.ts'
import { SubmitForm, type Values } from '../fields/submit-form.tsx'
import { Modal } from './modal.tsx'

interface ConfirmByNameProps {
  /** Name of the object to delete. The user must type it. */
  name: string
  title: string
  description: string
  /** Label of the button. */
  action: string
  /** Texts for error codes whose server message does not help here. */
  words?: Words
  /** Focus target after success, if the opening element was removed. */
  focusAfter?: RefObject<HTMLElement | null>
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Confirms a deletion that affects many people and cannot be undone. */
export function ConfirmByName(props: ConfirmByNameProps) {
  const { name, words, focusAfter } = props
  const check = ({ name: typed = '' }: Values) =>
    typed.trim() === name.trim()
      ? {}
      : { name: t('That doesn’t match. Type “{name}” exactly as shown.', { name }) }

  return (
    <Modal
      open
      onOpenChange={props.onClose}
      title={props.title}
      description={props.description}
      {...(focusAfter && { focusAfter })}
    >
      <SubmitForm fields={['name']} check={check} submit={props.onConfirm} {...(words && { words })}>
        {(pending) => (
          <>
            <TextField name="name" label={t('Type “{name}” to confirm', { name })} autoComplete="off" />
            <div className="form-actions">
              <Button onClick={props.onClose}>{t('Cancel')}</Button>
              <Button type="submit" look="danger" pending={pending}>
                {props.action}
              </Button>
            </div>
          </>
        )}
      </SubmitForm>
    </Modal>
  )
}
