import { Suspense, useState } from 'react'
import type { NameLookup } from '#src/store/selectors.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { MessageLink } from './message-link.tsx'
import type { SharedFile } from './shared-files.ts'
import { useOriginWords } from './use-origin-words.ts'

const Lightbox = lazyComponent(() =>
  import('#src/attachments/lightbox/lightbox.tsx').then((module) => module.Lightbox),
)

/** Number of pictures before the last one at which more are loaded. */
const NEAR_END = 3

interface MediaViewerProps {
  media: readonly SharedFile[]
  start: number
  /** True if there may be older pictures and videos to load. */
  hasMore: boolean
  nameOf: NameLookup
  onNearEnd: () => void
  /** Called when a message is opened. */
  onOpen: () => void
  onClose: () => void
}

/** The lightbox with the pictures and videos of many messages, each with its author and a link to its message. */
export function MediaViewer({ media, start, hasMore, nameOf, onNearEnd, onOpen, onClose }: MediaViewerProps) {
  const originWords = useOriginWords(nameOf)
  const [firstKey] = useState(media[0]?.key)
  // Leaves out pictures posted after the opening: they come first, and would move the visible one.
  const first = media.findIndex(({ key }) => key === firstKey)
  const shown = media.slice(Math.max(0, first))

  function open() {
    onClose()
    onOpen()
  }

  function originOf(index: number) {
    const message = shown[index]?.message
    if (message === undefined) return undefined
    return { words: originWords(message), link: <MessageLink message={message} onOpen={open} /> }
  }

  return (
    <Suspense>
      <Lightbox
        images={shown.map(({ file }) => file)}
        start={start}
        hasMore={hasMore}
        onClose={onClose}
        originOf={originOf}
        onGo={(index) => index >= shown.length - NEAR_END && onNearEnd()}
      />
    </Suspense>
  )
}
