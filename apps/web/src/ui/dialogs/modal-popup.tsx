import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '../buttons/icon-button.tsx'
import { isTouch } from '../is-touch.ts'
import './modal.css'
import { useFocusAfter } from '../focus/use-focus-after.ts'

export interface ModalProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** Focus target, if the opening element was removed before the dialog closes. */
  focusAfter?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Focus target on touch screens, where the keyboard of a focused field would cover the dialog. */
const CHOSEN_TAB = '[role="tab"][aria-selected="true"]'

export function ModalPopup(props: ModalProps) {
  const { open, onOpenChange, title, description, focusAfter, children } = props
  const popup = useRef<HTMLDivElement>(null)
  // Needed if the opening element was removed. Otherwise that element already has the focus again.
  useFocusAfter(focusAfter, { open })
  const firstField = () =>
    popup.current?.querySelector<HTMLElement>(isTouch() ? CHOSEN_TAB : `input, textarea, ${CHOSEN_TAB}`)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop" forceRender />
        <Dialog.Popup ref={popup} className="modal" initialFocus={() => firstField() ?? popup.current}>
          <div className="modal-header">
            <Dialog.Title className="modal-title">{title}</Dialog.Title>
            <Dialog.Close render={<IconButton label={t('Close')} icon={<X />} />} />
          </div>
          {description !== undefined && (
            <Dialog.Description className="modal-description">{description}</Dialog.Description>
          )}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
