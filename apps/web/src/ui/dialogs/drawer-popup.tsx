import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import './drawer.css'
import './modal.css'

export interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  side: 'start' | 'end'
  label: string
  children: ReactNode
}

export function DrawerPopup({ open, onOpenChange, side, label, children }: DrawerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop" />
        <Dialog.Popup className={`drawer drawer-${side}`} aria-label={label}>
          {children}
          {/* A click outside also closes it. Screen reader users need a button. */}
          <Dialog.Close className="visually-hidden">{t('Close')}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
