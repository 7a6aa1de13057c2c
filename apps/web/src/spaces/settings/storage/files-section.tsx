import type { Attachment } from '@foyer/protocol/attachments'
import { Images } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { formatSize } from '#src/attachments/size.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyNote } from '#src/ui/empty-note.tsx'
import { DeleteAllFiles } from './delete-all-files.tsx'
import { FileEntry } from './file-entry.tsx'
import './files-section.css'
import { UsageBar } from './usage-bar.tsx'
import { useSpaceFiles } from './use-space-files.ts'

/** What the space's storage is used for, and the pictures that the space itself has. */
export function FilesSection({ space }: { space: SpaceEntry }) {
  const { files, status, error } = useSpaceFiles(space)
  const list = useRef<HTMLUListElement>(null)
  if (error !== null)
    return (
      <p role="alert" className="form-error">
        {error}
      </p>
    )
  if (files === undefined || status === undefined) return <p className="settings-note">Loading…</p>
  return (
    <>
      <section className="files-usage" aria-label="Usage">
        <UsageBar label="Used by the space" usedBytes={status.used_bytes} maxBytes={status.max_bytes} />
        <p className="settings-note">
          All files of {space.name} together, those of messages too.
          {status.upload_limit_bytes !== null &&
            ` One file may have up to ${formatSize(status.upload_limit_bytes)}.`}
        </p>
      </section>
      {files.length === 0 ? (
        <EmptyNote icon={<Images />} title="No pictures of the space">
          The pictures of its emojis and stickers stand here.
        </EmptyNote>
      ) : (
        <FileList space={space} files={files} list={list} />
      )}
    </>
  )
}

interface FileListProps {
  space: SpaceEntry
  files: readonly Attachment[]
  list: RefObject<HTMLUListElement | null>
}

function FileList({ space, files, list }: FileListProps) {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <div className="settings-line">
        <p>
          <strong>{files.length === 1 ? '1 picture' : `${files.length} pictures`}</strong>
          <span>Those of emojis and stickers. Deleting one deletes what was made from it.</span>
        </p>
        <Button look="danger" onClick={() => setDeleting(true)}>
          Delete all
        </Button>
      </div>
      <ul ref={list} tabIndex={-1} className="settings-list image-list" aria-label="Pictures of the space">
        {files.map((file) => (
          <FileEntry key={file.id} space={space} file={file} focusAfter={list} />
        ))}
      </ul>
      {deleting && <DeleteAllFiles space={space} onClose={() => setDeleting(false)} />}
    </>
  )
}
