import { FileIcon } from '#src/attachments/file-icon.tsx'
import { AudioPlayer } from '#src/attachments/players/audio-player.tsx'
import type { ShownFile } from '#src/attachments/shown-file.ts'
import { kindOf } from '#src/attachments/transfer/kinds.ts'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { useDownload } from '#src/attachments/use-download.ts'
import { t } from '#src/language/texts.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { formatMonth } from '#src/ui/time/time.ts'
import { MessageLink } from './message-link.tsx'
import { monthsOf, type SharedFile } from './shared-files.ts'
import './shared-file-list.css'
import { useOriginWords } from './use-origin-words.ts'

interface SharedFileListProps {
  files: readonly SharedFile[]
  nameOf: NameLookup
  onOpen: () => void
}

/** Files by month. A click on a name downloads the file; audio has a player. */
export function SharedFileList({ files, nameOf, onOpen }: SharedFileListProps) {
  const originWords = useOriginWords(nameOf)
  return monthsOf(files).map((month) => (
    <section key={month.key}>
      <h3 className="files-month">{formatMonth(month.time)}</h3>
      <ul className="shared-files">
        {month.files.map(({ key, file, message }) => (
          <li key={key} className="shared-file">
            {kindOf(file.content_type) === 'audio' ? <AudioPlayer file={file} /> : <FileLink file={file} />}
            <span className="shared-file-origin">{originWords(message)}</span>
            <MessageLink message={message} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

function FileLink({ file }: { file: ShownFile }) {
  const { href, link, error } = useDownload(file)
  const { filename, description, content_type, size_bytes } = file
  return (
    <>
      <a
        {...link}
        href={href}
        className="shared-file-link"
        aria-label={t('Download {filename}', { filename })}
        title={description ?? filename}
      >
        <FileIcon contentType={content_type} />
        <span className="file-texts">
          <span className="file-name">{filename}</span>
          <span className="file-note">{formatSize(size_bytes)}</span>
        </span>
      </a>
      {error !== null && (
        <span role="alert" className="file-error">
          {error}
        </span>
      )}
    </>
  )
}
