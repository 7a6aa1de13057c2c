import { ImagePlus, Smile, Sticker } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import { searchNames } from '#src/emojis/emoji-search.ts'
import { FileButton } from '#src/images/file-button.tsx'
import { useImageDrop } from '#src/images/use-image-drop.ts'
import { t } from '#src/language/texts.ts'
import { usePeople } from '#src/session/use-people.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { StorageNote } from '../storage/storage-note.tsx'
import { ImageEntry } from './image-entry.tsx'
import type { ImageKind } from './image-kind.ts'
import './images-section.css'
import { UploadList } from './upload-list.tsx'
import { useUploadQueue } from './use-upload-queue.ts'

/** Adds, renames and deletes the emoji or stickers of a space. */
export function ImagesSection({ space, kind }: { space: SpaceEntry; kind: ImageKind }) {
  const { queue, add, retry, dismiss } = useUploadQueue(space, kind)
  const { isOver, handlers } = useImageDrop(add)
  const count = kind.listOf(space).length
  const isFull = count >= kind.max
  return (
    <div className="images-section" data-over={isOver || undefined} {...handlers}>
      <StorageNote space={space} />
      <div className="settings-line">
        <p>
          <strong>{kind.texts.countOf(count)}</strong>
          <span>{kind.texts.hint}</span>
        </p>
        <FileButton look="primary" multiple disabled={isFull} onFiles={add}>
          <ImagePlus aria-hidden="true" /> {kind.texts.add}
        </FileButton>
      </div>
      <UploadList queue={queue} onRetry={retry} onDismiss={dismiss} />
      {count === 0 && queue.images.length === 0 ? (
        <EmptyNote icon={kind.noun === 'emoji' ? <Smile /> : <Sticker />} title={kind.texts.none}>
          {t('Everyone in {name} can use what you add here.', { name: space.name })}
        </EmptyNote>
      ) : (
        <ImageList space={space} kind={kind} />
      )}
    </div>
  )
}

/** Minimum number of pictures to show the search field. */
const SEARCH_FROM = 8
const NONE: readonly string[] = []

function ImageList({ space, kind }: { space: SpaceEntry; kind: ImageKind }) {
  const [query, setQuery] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const images = kind.listOf(space)
  const found = searchNames(images, useDeferredValue(query))
  const shown = query === '' ? images.toReversed() : found
  usePeople(images.length === 0 ? NONE : images.map((image) => image.creator_id))
  return (
    <div className="finder">
      {images.length >= SEARCH_FROM && (
        <SearchField label={kind.texts.search} value={query} onChange={setQuery} />
      )}
      <ul ref={list} tabIndex={-1} className="settings-list image-list" aria-label={kind.texts.all}>
        {shown.map((image) => (
          <ImageEntry key={image.id} kind={kind} image={image} focusAfter={list} />
        ))}
      </ul>
      <p className="finder-note" role="status">
        {images.length > 0 && shown.length === 0 && kind.texts.notFound}
      </p>
    </div>
  )
}
