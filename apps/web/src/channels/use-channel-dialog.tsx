import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type DrawDialog, useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import type { OpenChannel } from './channel-context.ts'

/**
 * Opens a dialog about the channel or one of its messages. The dialog outlives the component that opened it. It closes when
 * the user goes to another channel, because it would seem to be about that channel. If a thread is open beside the channel,
 * the address is that of the thread.
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
  const [openedAt] = useState(() => pageOf(here))
  const isIn = `${here}/`.startsWith(`${path}/`) || pageOf(here) === openedAt
  useEffect(() => {
    if (!isIn) close()
  }, [isIn, close])
  return isIn && children
}

/** Returns the address of a room or thread without that of a message. */
function pageOf(address: string): string {
  return /^\/spaces\/[^/]+\/rooms\/[^/]+/.exec(address)?.[0] ?? address
}
