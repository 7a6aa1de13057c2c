import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { closeThread, useHasThread } from '#src/threads/open-thread.ts'
import { Drawer } from '#src/ui/drawer.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { ONE_PANEL, useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import type { SearchScope } from './use-search.ts'

const loadPanel = () => import('./search-panel.tsx').then((module) => module.SearchPanel)
const SearchPanel = lazyComponent(loadPanel)
/** After what the page itself needs. */
const PRELOAD_MS = 1500

interface SearchedPlace {
  kind: SearchScope['kind']
  /** Of the space or the conversation. */
  id: string
  name: string
  nameOf: NameLookup
}

interface SearchButtonProps extends SearchedPlace {
  isOpen: boolean
  turn: (isOpen: boolean) => void
}

/** In a header: opens the search beside the page, or over it where there is no room. */
export function SearchButton({ isOpen, turn, ...place }: SearchButtonProps) {
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const show = usePlaceBeside(turn)
  useShortcut('search', () => {
    if (isOpen) document.querySelector<HTMLElement>('.search-line input')?.focus()
    else show()
  })
  usePreload()
  const close = () => turn(false)
  const main = document.querySelector('#main')
  const panel = (
    <Suspense>
      <ScopedPanel key={place.id} {...place} onClose={close} onOpen={() => turn(isVeryWide)} />
    </Suspense>
  )
  return (
    <>
      <IconButton
        label={t('Search messages')}
        icon={<Search />}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : show())}
      />
      {isVeryWide && isOpen && main !== null && createPortal(panel, main)}
      {!isVeryWide && (
        <Drawer open={isOpen} onOpenChange={turn} side="end" label={t('Search messages')}>
          {panel}
        </Drawer>
      )}
    </>
  )
}

/** Where one panel fits beside the messages, the search takes the place of a thread, and a thread that of the search. */
function usePlaceBeside(turn: (isOpen: boolean) => void): () => void {
  const session = useSession()
  const hasThread = useHasThread()
  const fitsOne = useMediaQuery(ONE_PANEL)

  useEffect(() => {
    if (hasThread && fitsOne) turn(false)
  }, [hasThread, fitsOne, turn])

  return () => {
    if (fitsOne) closeThread(session)
    turn(true)
  }
}

/** What is typed right after the shortcut belongs in the panel, not where the focus was. */
function usePreload(): void {
  useEffect(() => {
    // What fails is fetched again when it is shown.
    const timer = setTimeout(() => void loadPanel().catch(() => undefined), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
}

interface ScopedPanelProps extends SearchedPlace {
  onClose: () => void
  onOpen: () => void
}

/** Another scope is another panel; the same stays the same object, or it would search anew. */
function ScopedPanel({ kind, id, name, ...rest }: ScopedPanelProps) {
  const [scope] = useState<SearchScope>({ kind, id, name })
  return <SearchPanel scope={scope} {...rest} />
}
