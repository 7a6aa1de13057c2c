import { FileX } from 'lucide-react'
import './file-card.css'
import { FileIcon } from './file-icon.tsx'
import { FileLine } from './file-line.tsx'
import { isGone, type ShownFile } from './shown-file.ts'

/** A file without a preview: its icon, name, size and a note. */
export function FileCard({ file, note }: { file: ShownFile; note?: string }) {
  return (
    <div className="file-card">
      {isGone(file) ? (
        <FileX className="file-icon" aria-hidden="true" />
      ) : (
        <FileIcon contentType={file.content_type} />
      )}
      <FileLine file={file} note={note} />
    </div>
  )
}
