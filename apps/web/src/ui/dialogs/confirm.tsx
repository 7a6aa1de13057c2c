import { lazyPopup, useWanted } from '../loading/lazy-popup.tsx'
import type { ConfirmProps } from './confirm-popup.tsx'

const ConfirmPopup = lazyPopup(() => import('./confirm-popup.tsx').then((module) => module.ConfirmPopup))

/** Confirms an action that cannot be undone, and shows why it failed. */
export function Confirm(props: ConfirmProps) {
  return useWanted(props.open) && <ConfirmPopup {...props} />
}
