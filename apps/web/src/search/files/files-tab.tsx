import { File, Images, Link } from 'lucide-react'
import type { ReactNode, UIEvent } from 'react'
import { counted, t } from '#src/language/texts.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { isNearEnd } from '#src/ui/is-near-end.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { GroupedHits } from '../search-results.tsx'
import type { SearchScope } from '../use-search.ts'
import { MediaGrid } from './media-grid.tsx'
import { SharedFileList } from './shared-file-list.tsx'
import type { SharedKind } from './shared-files.ts'
import { useSharedFiles } from './use-shared-files.ts'

interface FilesTabProps {
  scope: SearchScope
  /** Id of the room; null for all rooms. */
  roomId: string | null
  kind: SharedKind
  nameOf: NameLookup
  onOpen: () => void
}

/** One kind of files, newest first. More are loaded while scrolling. */
export function FilesTab({ scope, roomId, kind, nameOf, onOpen }: FilesTabProps) {
  const { found, messages, files, count, again, more } = useSharedFiles(scope, roomId, kind)

  function onScroll({ currentTarget }: UIEvent<HTMLElement>) {
    // After an error only the button retries, not every scroll event.
    if (found.state === 'here' && found.error === null && isNearEnd(currentTarget)) more()
  }

  if (found.state === 'failed') return <LoadError message={found.message} again={again} />
  if (found.state !== 'here') return <Skeleton rows={4} />
  const hasMore = found.cursor !== null
  return (
    <div className="files-list" onScroll={onScroll}>
      <p className="visually-hidden" role="status">
        {count > 0 && countInWords(kind, count, hasMore)}
      </p>
      {count === 0 && <Nothing kind={kind} hasMore={hasMore} isLoading={found.isLoading} />}
      {kind === 'media' && (
        <MediaGrid media={files} hasMore={hasMore} nameOf={nameOf} onNearEnd={more} onOpen={onOpen} />
      )}
      {kind === 'files' && <SharedFileList files={files} nameOf={nameOf} onOpen={onOpen} />}
      {kind === 'links' && <GroupedHits messages={messages} text="" nameOf={nameOf} onOpen={onOpen} />}
      {found.error !== null && (
        <p role="alert" className="form-error">
          {found.error}
        </p>
      )}
      {hasMore && (
        <Button className="search-more" pending={found.isLoading} onClick={more}>
          {t('Show more')}
        </Button>
      )}
    </div>
  )
}

/** @param hasMore true if older messages were not searched */
function countInWords(kind: SharedKind, count: number, hasMore: boolean): string {
  const files = loadedInWords(kind, count)
  return hasMore ? t('At least {files}', { files }) : files
}

function loadedInWords(kind: SharedKind, count: number): string {
  if (kind === 'links') return counted(count, '{count} message with links', '{count} messages with links')
  if (kind === 'files') return counted(count, '{count} file', '{count} files')
  return counted(count, '{count} picture or video', '{count} pictures and videos')
}

/** Shown while there are no results. The search may not have reached the oldest messages. */
function Nothing({ kind, hasMore, isLoading }: { kind: SharedKind; hasMore: boolean; isLoading: boolean }) {
  if (isLoading) return <Skeleton rows={4} />
  if (hasMore) return <p className="search-note">{t('No files in the newest messages.')}</p>
  return <EmptyKind kind={kind} />
}

function EmptyKind({ kind }: { kind: SharedKind }) {
  const notes: Readonly<Record<SharedKind, ReactNode>> = {
    media: (
      <EmptyNote icon={<Images />} title={t('No pictures or videos yet')}>
        {t('Pictures and videos from messages appear here.')}
      </EmptyNote>
    ),
    files: (
      <EmptyNote icon={<File />} title={t('No files yet')}>
        {t('Documents, audio and other files from messages appear here.')}
      </EmptyNote>
    ),
    links: (
      <EmptyNote icon={<Link />} title={t('No links yet')}>
        {t('Messages with links appear here.')}
      </EmptyNote>
    ),
  }
  return notes[kind]
}
