import { useLocation } from 'wouter'
import { useSession } from '#src/session/context.ts'
import type { State } from '#src/store/state.ts'
import { neighbourPath, spacePath, unreadPath } from './neighbours.ts'
import { useShortcut } from './use-shortcut.ts'

/** Handles the shortcuts that navigate to other rooms and spaces. */
export function Ways() {
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
  return null
}
