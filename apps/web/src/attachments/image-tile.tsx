import { ImageOff } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './alt-badge.css'
import { Picture } from './picture.tsx'
import type { ShownFile } from './shown-file.ts'
import { fractionOf } from './transfer/upload-state.ts'
import { ProgressRing } from './uploads/progress-ring.tsx'
import { useSource } from './use-source.ts'

/** A picture of a message. Clicking it opens the lightbox. */
export function ImageTile({ file, onOpen }: { file: ShownFile; onOpen: () => void }) {
  const source = useSource(file)
  const tabIndex = useRowPart()
  const { filename, description, upload } = file
  if (upload !== null)
    return (
      <div className="gallery-tile" data-under-way={upload.progress.kind !== 'stored' || undefined}>
        <Picture file={file} source={source} />
        {upload.progress.kind !== 'stored' && (
          <ProgressRing label={t('Uploading {filename}', { filename })} fraction={fractionOf([upload])} />
        )}
      </div>
    )
  if (source.isBroken)
    return (
      <div className="gallery-tile">
        <span className="gallery-broken">
          <ImageOff aria-hidden="true" />
          {t('Couldn’t load {filename}.', { filename })}{' '}
          <Button look="text" tabIndex={tabIndex} onClick={source.again}>
            {t('Try again')}
          </Button>
        </span>
      </div>
    )
  return (
    <button
      type="button"
      className="gallery-tile"
      tabIndex={tabIndex}
      aria-haspopup="dialog"
      title={description ?? filename}
      onClick={onOpen}
    >
      <Picture file={file} source={source} />
      {description !== null && (
        <span className="alt-badge" aria-hidden="true">
          {t('ALT')}
        </span>
      )}
    </button>
  )
}
