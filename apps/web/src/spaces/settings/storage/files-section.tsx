import type { Attachment } from '@foyer/protocol/attachments'
import { Images } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { DeleteAllFiles } from './delete-all-files.tsx'
import { FileEntry } from './file-entry.tsx'
import './files-section.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { UsageBar } from './usage-bar.tsx'
import { useSpaceFiles } from './use-space-files.ts'

/** Storage use, and the emoji and sticker files of the space. */
export function FilesSection({ space }: { space: SpaceEntry }) {
  const { files, status, error, again } = useSpaceFiles(space)
  const list = useRef<HTMLUListElement>(null)
  if (error !== null) return <LoadError message={error} again={again} />
  if (files === undefined || status === undefined) return <Skeleton />
  return (
    <>
      <section className="files-usage" aria-label={t('Usage')}>
        <UsageBar label={t('Used by this space')} usedBytes={status.used_bytes} maxBytes={status.max_bytes} />
        <p className="settings-note">
          {t('All of {name}’s files, including files in messages.', { name: space.name })}
          {status.upload_limit_bytes !== null &&
            ` ${t('Each file can be up to {size}.', { size: formatSize(status.upload_limit_bytes) })}`}
        </p>
        <p className="settings-note">{t('To see files in messages, open “Files” at the top of a room.')}</p>
      </section>
      {files.length === 0 ? (
        <EmptyNote icon={<Images />} title={t('No pictures yet')}>
          {t('Emoji and sticker files appear here.')}
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
          <strong>{counted(files.length, '{count} picture', '{count} pictures')}</strong>
          <span>{t('Deleting a picture also deletes its emoji or sticker.')}</span>
        </p>
        <Button look="danger" onClick={() => setDeleting(true)}>
          {t('Delete all')}
        </Button>
      </div>
      <ul ref={list} tabIndex={-1} className="settings-list image-list" aria-label={t('Space pictures')}>
        {files.map((file) => (
          <FileEntry key={file.id} space={space} file={file} focusAfter={list} />
        ))}
      </ul>
      {deleting && <DeleteAllFiles space={space} onClose={() => setDeleting(false)} />}
    </>
  )
}
