import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type DrawDialog, useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import type { OpenChannel } from './channel-context.ts'

/**
 * Opens a dialog about the channel or one of its messages. The dialog outlives the component that opened it. It closes when
 * the user goes to another channel, where it would seem to be about the wrong one. A thread that is open beside the channel is
 * in the URL instead of the channel, so the dialog also stays open at the URL where it was opened.
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

/** Removes the message id from the path of a room or thread. Returns other paths unchanged. */
function pageOf(address: string): string {
  return /^\/spaces\/[^/]+\/rooms\/[^/]+/.exec(address)?.[0] ?? address
}
