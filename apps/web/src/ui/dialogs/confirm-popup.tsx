import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '../buttons/button.tsx'
import './modal.css'
import { errorMessage, type Words } from '../fields/form-errors.ts'
import { useFocusAfter } from '../focus/use-focus-after.ts'
import { isTouch } from '../is-touch.ts'

export interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** Label of the confirming button. */
  action: string
  /** Look of that button. Most confirmed actions are destructive. */
  look?: 'danger' | 'primary'
  run: () => Promise<void>
  /** Texts for error codes whose server message does not help here. */
  words?: Words
  /** Focus target after success, if the opening element was removed. */
  focusAfter?: RefObject<HTMLElement | null>
  children: ReactNode
}

export function ConfirmPopup(props: ConfirmProps) {
  const { open, onOpenChange, title, action, look = 'danger', run, words, focusAfter, children } = props
  const isLeft = useRef(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  useFocusAfter(focusAfter, { open, popup })

  async function confirm() {
    isLeft.current = false
    setPending(true)
    setError(null)
    try {
      await run()
      onOpenChange(false)
    } catch (thrown) {
      setError(errorMessage(thrown, words))
    }
    setPending(false)
  }

  function change(next: boolean) {
    isLeft.current = !next
    onOpenChange(next)
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="modal-backdrop" forceRender />
        <AlertDialog.Popup
          ref={popup}
          className="modal"
          // After a success, `useFocusAfter` moves the focus, because the opening element is removed.
          finalFocus={() => isLeft.current || focusAfter === undefined || isTouch()}
        >
          <AlertDialog.Title className="modal-title">{title}</AlertDialog.Title>
          <AlertDialog.Description className="modal-description" render={<div />}>
            {children}
          </AlertDialog.Description>
          {error !== null && (
            <p role="alert" className="form-error">
              {error}
            </p>
          )}
          <div className="form-actions">
            <AlertDialog.Close render={<Button>{t('Cancel')}</Button>} />
            <Button look={look} pending={pending} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
