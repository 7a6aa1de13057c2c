import type { ConfirmProps } from './confirm-popup.tsx'
import { lazyPopup, useWanted } from './lazy-popup.tsx'

const ConfirmPopup = lazyPopup(() => import('./confirm-popup.tsx').then((module) => module.ConfirmPopup))

/** Asks before something that cannot be undone, and tells when it did not work. */
export function Confirm(props: ConfirmProps) {
  return useWanted(props.open) && <ConfirmPopup {...props} />
}
