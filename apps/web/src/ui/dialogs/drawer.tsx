import { lazyPopup, useWanted } from '../loading/lazy-popup.tsx'
import type { DrawerProps } from './drawer-popup.tsx'

const DrawerPopup = lazyPopup(() => import('./drawer-popup.tsx').then((module) => module.DrawerPopup))

/** Side content of a wide page, as a drawer on a narrow one. */
export function Drawer(props: DrawerProps) {
  return useWanted(props.open) && <DrawerPopup {...props} />
}
