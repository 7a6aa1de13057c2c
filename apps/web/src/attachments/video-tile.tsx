import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './gallery.css'
import type { ShownFile } from './shown-file.ts'
import { VideoPreview } from './video-preview.tsx'

/** A video as a tile. Clicking it opens the lightbox. */
export function VideoTile({ file, onOpen }: { file: ShownFile; onOpen: () => void }) {
  const tabIndex = useRowPart()
  const label = t('Video {name}', { name: file.description ?? file.filename })
  return (
    <button
      type="button"
      className="gallery-tile"
      tabIndex={tabIndex}
      aria-haspopup="dialog"
      aria-label={label}
      title={file.description ?? file.filename}
      onClick={onOpen}
    >
      <VideoPreview file={file} />
    </button>
  )
}
