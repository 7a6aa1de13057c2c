import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#src/language/texts.ts'
import { closeThread, useHasThread } from '#src/messages/reading/open-thread.ts'
import { useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { ONE_PANEL, useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import type { SearchScope } from './use-search.ts'

const loadPanel = () => import('./search-panel.tsx').then((module) => module.SearchPanel)
const SearchPanel = lazyComponent(loadPanel)
/** Delay of the preload, to let the page itself load first. */
const PRELOAD_MS = 1500

interface SearchTarget {
  kind: SearchScope['kind']
  /** Id of the space or conversation. */
  id: string
  name: string
  nameOf: NameLookup
}

interface SearchButtonProps extends SearchTarget {
  isOpen: boolean
  turn: (isOpen: boolean) => void
}

/** A header button that opens the search next to the page, or over it in narrow windows. */
export function SearchButton({ isOpen, turn, ...target }: SearchButtonProps) {
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const show = useOpenExclusively(turn)
  useShortcut('search', () => {
    if (isOpen) document.querySelector<HTMLElement>('.search-line input')?.focus()
    else show()
  })
  usePreload()
  const close = () => turn(false)
  const main = document.querySelector('#main')
  const panel = (
    <Suspense>
      <ScopedPanel key={target.id} {...target} onClose={close} onOpen={() => turn(isVeryWide)} />
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

/** Opens the search. If only one panel fits next to the messages, search and thread replace each other. */
function useOpenExclusively(turn: (isOpen: boolean) => void): () => void {
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

/** Preloads the panel: text typed right after the shortcut must go to the panel. */
function usePreload(): void {
  useEffect(() => {
    // A failed preload is repeated when the panel opens.
    const timer = setTimeout(() => void loadPanel().catch(() => undefined), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
}

interface ScopedPanelProps extends SearchTarget {
  onClose: () => void
  onOpen: () => void
}

/** Keeps the scope as one object, because a new object would search again. The key changes with the scope. */
function ScopedPanel({ kind, id, name, ...rest }: ScopedPanelProps) {
  const [scope] = useState<SearchScope>({ kind, id, name })
  return <SearchPanel scope={scope} {...rest} />
}
