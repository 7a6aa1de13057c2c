import { lazyPopup, useWanted } from '../loading/lazy-popup.tsx'
import type { DrawerProps } from './drawer-popup.tsx'

const DrawerPopup = lazyPopup(() => import('./drawer-popup.tsx').then((module) => module.DrawerPopup))

/** A drawer for content that is beside the page in wide windows. */
export function Drawer(props: DrawerProps) {
  return useWanted(props.open) && <DrawerPopup {...props} />
}
