import { t } from '#src/language/texts.ts'
import { DownloadLink } from './download-link.tsx'
import './file-card.css'
import { isGone, type ShownFile } from './shown-file.ts'
import { formatSize } from './transfer/size.ts'
import { fractionOf, isUploadUnderWay } from './transfer/upload-state.ts'
import { ProgressRing } from './uploads/progress-ring.tsx'

/** A file's name, size, progress and download link, in a card or next to a player. */
export function FileLine({ file, note }: { file: ShownFile; note?: string | undefined }) {
  const { filename, size_bytes, upload } = file
  const gone = isGone(file)
  return (
    <div className="file-line">
      <span className="file-texts">
        <span className="file-name" title={filename} data-gone={gone || undefined}>
          {filename}
        </span>
        <span className="file-note">
          {gone ? t('This file was deleted.') : formatSize(size_bytes)}
          {note !== undefined && ` · ${note}`}
        </span>
      </span>
      {upload !== null && isUploadUnderWay(upload) && (
        <ProgressRing label={t('Uploading {filename}', { filename })} fraction={fractionOf([upload])} />
      )}
      {upload === null && !gone && <DownloadLink file={file} />}
    </div>
  )
}
