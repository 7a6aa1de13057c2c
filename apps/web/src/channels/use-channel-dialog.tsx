import { type ReactNode, useCallback, useEffect } from 'react'
import { useLocation } from 'wouter'
import { type DrawDialog, useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import type { OpenChannel } from './channel-context.ts'

/**
 * Opens a dialog about the channel or one of its messages. It outlives the component that opened it, and closes when the
 * user goes to another channel, where it would seem to be about that one.
 */
export function useChannelDialog({ path }: Pick<OpenChannel, 'path'>): (draw: DrawDialog) => void {
  const openDialog = useOpenDialog()
  return useCallback(
    (draw) =>
      openDialog((close) => (
        <WhileIn path={path} close={close}>
          {draw(close)}
        </WhileIn>
      )),
    [openDialog, path],
  )
}

interface WhileInProps {
  path: string
  close: () => void
  children: ReactNode
}

function WhileIn({ path, close, children }: WhileInProps) {
  const [here] = useLocation()
  const isIn = `${here}/`.startsWith(`${path}/`)
  useEffect(() => {
    if (!isIn) close()
  }, [isIn, close])
  return isIn && children
}
