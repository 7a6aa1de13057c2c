import type { DrawerProps } from './drawer-popup.tsx'
import { lazyPopup, useWanted } from './lazy-popup.tsx'

const DrawerPopup = lazyPopup(() => import('./drawer-popup.tsx').then((module) => module.DrawerPopup))

/** What stands at the side of a wide page, over a narrow one. */
export function Drawer(props: DrawerProps) {
  return useWanted(props.open) && <DrawerPopup {...props} />
}
