import { Pencil, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import '../alt-badge.css'
import { FileIcon } from '../file-icon.tsx'
import { kindOf } from '../transfer/kinds.ts'
import { formatSize } from '../transfer/size.ts'
import { type FileUpload, fractionOf } from '../transfer/upload-state.ts'
import { DescribeFile } from './describe-file.tsx'
import { ProgressRing } from './progress-ring.tsx'
import './upload-tile.css'

interface UploadTileProps {
  upload: FileUpload
  onRemove: () => void
  onRetry: () => void
}

/** A file of the draft. */
export function UploadTile({ upload, onRemove, onRetry }: UploadTileProps) {
  const { filename, size_bytes, description, progress, preview } = upload
  const [isDescribing, setIsDescribing] = useState(false)
  const isPicture = preview !== null && kindOf(upload.content_type) === 'image'
  const isUnderWay = progress.kind === 'queued' || progress.kind === 'sending'
  return (
    <li className="upload-tile" data-state={progress.kind} aria-label={filename}>
      <div className="upload-picture">
        <Preview upload={upload} />
        {description !== null && (
          <span className="alt-badge" aria-hidden="true">
            {t('ALT')}
          </span>
        )}
        {isUnderWay && (
          <ProgressRing
            label={t('Uploading {filename}', { filename })}
            fraction={progress.kind === 'sending' ? fractionOf([upload]) : null}
          />
        )}
        {progress.kind === 'failed' && (
          <IconButton
            label={t('Retry uploading {filename}', { filename })}
            icon={<RotateCw />}
            className="upload-retry"
            onClick={onRetry}
          />
        )}
      </div>
      <IconButton
        label={
          isUnderWay ? t('Cancel uploading {filename}', { filename }) : t('Remove {filename}', { filename })
        }
        icon={<X />}
        className="upload-remove"
        onClick={onRemove}
      />
      {isPicture && (
        <IconButton
          label={
            description === null
              ? t('Add a description to {filename}', { filename })
              : t('Edit the description of {filename}', { filename })
          }
          icon={<Pencil />}
          className="upload-describe"
          aria-haspopup="dialog"
          onClick={() => setIsDescribing(true)}
        />
      )}
      {isDescribing && <DescribeFile upload={upload} onClose={() => setIsDescribing(false)} />}
      <span className="upload-name" title={filename}>
        {filename}
      </span>
      <span className="upload-note">
        {progress.kind === 'failed' ? progress.error : formatSize(size_bytes)}
      </span>
    </li>
  )
}

function Preview({ upload }: { upload: FileUpload }) {
  const { filename, content_type, description, preview, width } = upload
  const kind = kindOf(content_type)
  if (preview !== null && kind === 'image')
    return <img src={preview} alt={description ?? filename} decoding="async" draggable={false} />
  // Shows the first frame, if this browser could measure the video.
  if (preview !== null && kind === 'video' && width !== null)
    return <video src={preview} muted playsInline preload="metadata" aria-label={filename} />
  return <FileIcon contentType={content_type} />
}
