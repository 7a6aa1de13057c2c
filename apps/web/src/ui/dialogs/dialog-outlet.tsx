import { createContext, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react'

/** Renders a dialog with its close function. Must not depend on the component that opened it. */
export type DrawDialog = (close: () => void) => ReactNode

const OpenDialogContext = createContext<(draw: DrawDialog) => void>(() => undefined)

/** Opens a dialog that stays open after its opening component, such as an item of a drawer, is removed. */
export function useOpenDialog(): (draw: DrawDialog) => void {
  return useContext(OpenDialogContext)
}

interface DialogOutletProps {
  /** The open dialog closes when this changes. */
  spaceId: string | null
  onOpen: () => void
  children: ReactNode
}

/** Renders dialogs at page level. In the sidebar they would not survive its move into a drawer when a tablet is rotated. */
export function DialogOutlet({ spaceId, onOpen, children }: DialogOutletProps) {
  const [dialog, setDialog] = useState<{ draw: DrawDialog } | null>(null)
  const close = useCallback(() => setDialog(null), [])
  const open = useCallback(
    (draw: DrawDialog) => {
      onOpen()
      setDialog({ draw })
    },
    [onOpen],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog closes whenever the space changes
  useEffect(close, [spaceId, close])
  return (
    <OpenDialogContext value={open}>
      {children}
      <Suspense>{dialog?.draw(close)}</Suspense>
    </OpenDialogContext>
  )
}
