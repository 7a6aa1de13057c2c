import { createContext, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react'

/** Draws a dialog, given what closes it. What it shows may change while it is open: it is not to take that along. */
export type DrawDialog = (close: () => void) => ReactNode

const OpenDialogContext = createContext<(draw: DrawDialog) => void>(() => undefined)

/** For what may be gone before the dialog that it opened is closed, as all that stands in a drawer. */
export function useOpenDialog(): (draw: DrawDialog) => void {
  return useContext(OpenDialogContext)
}

interface DialogPlaceProps {
  /** Who goes from one of these to another is done with what was open over it. */
  spaceId: string | null
  onOpen: () => void
  children: ReactNode
}

/** Where dialogs are open over the page: not in the sidebar, which goes into its drawer when a tablet is turned. */
export function DialogPlace({ spaceId, onOpen, children }: DialogPlaceProps) {
  const [dialog, setDialog] = useState<{ draw: DrawDialog } | null>(null)
  const close = useCallback(() => setDialog(null), [])
  const open = useCallback(
    (draw: DrawDialog) => {
      onOpen()
      setDialog({ draw })
    },
    [onOpen],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that closes it
  useEffect(close, [spaceId, close])
  return (
    <OpenDialogContext value={open}>
      {children}
      <Suspense>{dialog?.draw(close)}</Suspense>
    </OpenDialogContext>
  )
}
