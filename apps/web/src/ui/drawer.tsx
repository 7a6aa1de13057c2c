import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import './drawer.css'
import './modal.css'

interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  side: 'left' | 'right'
  label: string
  children: ReactNode
}

/** What stands at the side of a wide page, over a narrow one. */
export function Drawer({ open, onOpenChange, side, label, children }: DrawerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop" />
        <Dialog.Popup className={`drawer drawer-${side}`} aria-label={label}>
          {children}
          {/* Fingers and mice press beside it; who cannot see where that is needs a button. */}
          <Dialog.Close className="visually-hidden">Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
