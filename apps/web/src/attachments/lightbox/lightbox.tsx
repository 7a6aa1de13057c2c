import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useRef, useState } from 'react'
import { keyAlongLine } from '#src/ui/direction.ts'
import { RowFocus } from '#src/ui/focus/row-focus.ts'
import './lightbox.css'
import type { ShownFile } from '../shown-file.ts'
import { LightboxArrows } from './lightbox-arrows.tsx'
import { LightboxBar } from './lightbox-bar.tsx'
import { LightboxStage, type StageControls } from './lightbox-stage.tsx'
import { ZOOM_STEP } from './zoom.ts'

interface LightboxProps {
  images: readonly ShownFile[]
  /** The index of the picture to show first. */
  start: number
  onClose: () => void
}

/** Shows pictures over the whole page, one at a time, with zoom. */
export function Lightbox({ images, start, onClose }: LightboxProps) {
  const [chosen, setChosen] = useState(start)
  const controls = useRef<StageControls | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  // A picture may be deleted while the lightbox is open.
  const index = Math.min(chosen, images.length - 1)
  const file = images[index]
  if (file === undefined) return null

  function go(direction: 1 | -1) {
    setChosen(Math.min(images.length - 1, Math.max(0, index + direction)))
  }

  function onKeyDown(event: KeyboardEvent) {
    const act = actions[keyAlongLine(event.key)]
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    // A drawer around the pictures must not close with the lightbox.
    event.stopPropagation()
    act()
  }

  const actions: Record<string, () => void> = {
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    '+': () => controls.current?.zoomBy(ZOOM_STEP),
    '=': () => controls.current?.zoomBy(ZOOM_STEP),
    '-': () => controls.current?.zoomBy(1 / ZOOM_STEP),
    '0': () => controls.current?.reset(),
    // Otherwise an open tooltip would handle the first Escape.
    Escape: onClose,
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        {/* Inside a drawer there would be none: the drawer has its own. */}
        <Dialog.Backdrop forceRender className="lightbox-backdrop" />
        <Dialog.Popup ref={popup} className="lightbox" initialFocus={popup} onKeyDownCapture={onKeyDown}>
          {/* Makes controls focusable, which they are not in a message without focus. */}
          <RowFocus value={true}>
            <LightboxBar file={file} position={index + 1} count={images.length} controls={controls} />
          </RowFocus>
          <LightboxStage key={file.id} file={file} controls={controls} onSwipe={go} onDismiss={onClose} />
          {images.length > 1 && <LightboxArrows index={index} count={images.length} onGo={go} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
