import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useRef, useState } from 'react'
import { keyAlongLine } from '#src/ui/direction.ts'
import { RowFocus } from '#src/ui/focus/row-focus.ts'
import './lightbox.css'
import type { ShownFile } from '../shown-file.ts'
import { kindOf } from '../transfer/kinds.ts'
import { LightboxArrows } from './lightbox-arrows.tsx'
import { LightboxBar, type Origin } from './lightbox-bar.tsx'
import { LightboxStage, type StageControls } from './lightbox-stage.tsx'
import { LightboxVideo } from './lightbox-video.tsx'
import { ZOOM_STEP } from './zoom.ts'

interface LightboxProps {
  /** Pictures and videos. */
  images: readonly ShownFile[]
  /** The index of the picture to show first. */
  start: number
  /** True if there may be more images that are not loaded yet. */
  hasMore?: boolean
  onClose: () => void
  /** Returns the message of a picture. Omitted if the lightbox was opened from that message. */
  originOf?: (index: number) => Origin | undefined
  /** Called with the new index when another picture is shown. */
  onGo?: (index: number) => void
}

/** Shows pictures and videos over the whole page, one at a time. Pictures can be zoomed. */
export function Lightbox({ images, start, hasMore = false, onClose, originOf, onGo }: LightboxProps) {
  const [chosen, setChosen] = useState(start)
  const controls = useRef<StageControls | null>(null)
  const popup = useRef<HTMLDivElement>(null)
  // A picture may be deleted while the lightbox is open.
  const index = Math.min(chosen, images.length - 1)
  const file = images[index]
  if (file === undefined) return null

  function go(direction: 1 | -1) {
    const next = Math.min(images.length - 1, Math.max(0, index + direction))
    setChosen(next)
    onGo?.(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    // A focused video uses the arrow keys to seek.
    if (event.target instanceof HTMLVideoElement && event.key !== 'Escape') return
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
    // Handled here, because an open tooltip would otherwise handle the first Escape.
    Escape: onClose,
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        {/* Rendered even inside a drawer, where nested dialogs have no backdrop by default. */}
        <Dialog.Backdrop forceRender className="lightbox-backdrop" />
        <Dialog.Popup ref={popup} className="lightbox" initialFocus={popup} onKeyDownCapture={onKeyDown}>
          {/* Makes controls focusable, which they are not in a message without focus. */}
          <RowFocus value={true}>
            <LightboxBar
              file={file}
              position={index + 1}
              count={images.length}
              hasMore={hasMore}
              controls={isVideo(file) ? null : controls}
              origin={originOf?.(index)}
            />
            {isVideo(file) && <LightboxVideo key={file.id} file={file} />}
          </RowFocus>
          {!isVideo(file) && (
            <LightboxStage key={file.id} file={file} controls={controls} onSwipe={go} onDismiss={onClose} />
          )}
          {images.length > 1 && (
            <LightboxArrows index={index} count={images.length} isMixed={images.some(isVideo)} onGo={go} />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function isVideo({ content_type }: ShownFile): boolean {
  return kindOf(content_type) === 'video'
}
