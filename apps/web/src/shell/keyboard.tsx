import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { InteractionModal } from '#src/interactions/interaction-modal.tsx'
import { useSession } from '#src/session/context.ts'
import { neighbourPath, spacePath, unreadPath } from '#src/shortcuts/neighbours.ts'
import { useShortcut, useShortcutKeys } from '#src/shortcuts/use-shortcut.ts'
import type { State } from '#src/store/state.ts'
import { QuickSwitcher } from '#src/switcher/quick-switcher.tsx'
import { rememberPath } from '#src/switcher/recent.ts'
import { lazyComponent } from '#src/ui/lazy.tsx'

const ShortcutHelp = lazyComponent(() =>
  import('#src/shortcuts/shortcut-help.tsx').then((module) => module.ShortcutHelp),
)

/** What is there on every page: the shortcuts of the keyboard, what they open, and the windows of bots. */
export function Keyboard() {
  const [open, setOpen] = useState<'switcher' | 'help' | null>(null)
  useShortcutKeys()
  useShortcut('switcher', () => setOpen('switcher'))
  useShortcut('help', () => setOpen('help'))
  useWays()
  useRecent()
  return (
    <>
      <QuickSwitcher open={open === 'switcher'} onClose={() => setOpen(null)} />
      <Suspense>{open === 'help' && <ShortcutHelp onClose={() => setOpen(null)} />}</Suspense>
      <InteractionModal />
    </>
  )
}

function useWays(): void {
  const { store } = useSession()
  const [here, navigate] = useLocation()
  const go = (find: (state: State) => string | undefined) => () => {
    const path = find(store.get())
    if (path !== undefined) navigate(path)
  }
  useShortcut(
    'previous-room',
    go((state) => neighbourPath(state, here, 'up')),
  )
  useShortcut(
    'next-room',
    go((state) => neighbourPath(state, here, 'down')),
  )
  useShortcut(
    'previous-unread',
    go((state) => unreadPath(state, here, 'up')),
  )
  useShortcut(
    'next-unread',
    go((state) => unreadPath(state, here, 'down')),
  )
  useShortcut(
    'previous-space',
    go((state) => spacePath(state, here, 'up')),
  )
  useShortcut(
    'next-space',
    go((state) => spacePath(state, here, 'down')),
  )
}

/** The rooms and conversations that one goes to are offered first, the next time. */
function useRecent(): void {
  const [here] = useLocation()
  useEffect(() => {
    const path = /^\/(spaces\/[^/]+\/rooms|conversations)\/[^/]+/.exec(here)?.[0]
    if (path !== undefined) rememberPath(path)
  }, [here])
}
