import { lazyPopup, useWanted } from './lazy-popup.tsx'
import type { ModalProps } from './modal-popup.tsx'

const ModalPopup = lazyPopup(() => import('./modal-popup.tsx').then((module) => module.ModalPopup))

/** A dialog in the middle of the page: it begins in its first field, or as a whole, focus stays in it, Escape and a press outside close it. */
export function Modal(props: ModalProps) {
  return useWanted(props.open) && <ModalPopup {...props} />
}
