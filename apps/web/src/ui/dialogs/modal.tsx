import { lazyPopup, useWanted } from '../loading/lazy-popup.tsx'
import type { ModalProps } from './modal-popup.tsx'

const ModalPopup = lazyPopup(() => import('./modal-popup.tsx').then((module) => module.ModalPopup))

/** A modal dialog. It focuses its first field, traps the focus, and closes on Escape or a click outside. */
export function Modal(props: ModalProps) {
  return useWanted(props.open) && <ModalPopup {...props} />
}
