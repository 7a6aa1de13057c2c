import { FolderOpen, Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { closeThread, useHasThread } from '#src/messages/reading/open-thread.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { ONE_PANEL, useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import type { SearchScope } from './use-search.ts'

const loadSearch = () => import('./search-panel.tsx').then((module) => module.SearchPanel)
const SearchPanel = lazyComponent(loadSearch)
const FilesPanel = lazyPopup(() => import('./files/files-panel.tsx').then((module) => module.FilesPanel))
/** Delay of the preload, to let the page itself load first. */
const PRELOAD_MS = 1500

/** The panel that a header button opens. */
export type SearchSide = 'search' | 'files'

interface SearchButtonsProps {
  channel: OpenChannel
  /** The open panel, or null. */
  side: SearchSide | null
  turn: (side: SearchSide | null) => void
}

/** Header buttons that open the files or the search next to the page, or over it in narrow windows. */
export function SearchButtons({ channel, side, turn }: SearchButtonsProps) {
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const show = useOpenExclusively(turn)
  useShortcut('search', () => {
    if (side === 'search') document.querySelector<HTMLElement>('.search-line input')?.focus()
    else show('search')
  })
  usePreload()
  const close = () => turn(null)
  const toggle = (next: SearchSide) => (side === next ? close() : show(next))
  const shown = useLast(side)
  const main = document.querySelector('#main')
  const panel = (
    <SidePanel
      key={channel.spaceId ?? channel.id}
      channel={channel}
      side={shown}
      onTurn={turn}
      onOpen={() => turn(isVeryWide ? shown : null)}
    />
  )
  return (
    <>
      <IconButton
        label={t('Files')}
        icon={<FolderOpen />}
        className="header-spare"
        aria-expanded={side === 'files'}
        onClick={() => toggle('files')}
      />
      <IconButton
        label={t('Search messages')}
        icon={<Search />}
        aria-expanded={side === 'search'}
        onClick={() => toggle('search')}
      />
      {isVeryWide && side !== null && main !== null && createPortal(panel, main)}
      {!isVeryWide && (
        <Drawer
          open={side !== null}
          onOpenChange={(open) => open || close()}
          side="end"
          label={shown === 'files' ? t('Files') : t('Search messages')}
        >
          {panel}
        </Drawer>
      )}
    </>
  )
}

/** Opens a panel. If only one panel fits next to the messages, it and a thread replace each other. */
function useOpenExclusively(turn: (side: SearchSide | null) => void): (side: SearchSide) => void {
  const session = useSession()
  const hasThread = useHasThread()
  const fitsOne = useMediaQuery(ONE_PANEL)

  useEffect(() => {
    if (hasThread && fitsOne) turn(null)
  }, [hasThread, fitsOne, turn])

  return (side) => {
    if (fitsOne) closeThread(session)
    turn(side)
  }
}

/** Returns the panel that is or was open, which stays in the drawer while that closes. */
function useLast(side: SearchSide | null): SearchSide {
  const [last, setLast] = useState<SearchSide>('search')
  if (side !== null && side !== last) setLast(side)
  return side ?? last
}

/** Preloads the search, because text typed right after the shortcut must go to it. */
function usePreload(): void {
  useEffect(() => {
    // A failed preload is repeated when the panel opens.
    const timer = setTimeout(() => void loadSearch().catch(() => undefined), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
}

interface SidePanelProps {
  channel: OpenChannel
  side: SearchSide
  onTurn: (side: SearchSide | null) => void
  onOpen: () => void
}

function SidePanel({ channel, side, onTurn, onOpen }: SidePanelProps) {
  const scope = useScope(channel)
  const close = () => onTurn(null)
  if (side === 'files') return <FilesPanel scope={scope} channel={channel} onClose={close} onOpen={onOpen} />
  return (
    <Suspense>
      <SearchPanel
        scope={scope}
        nameOf={channel.nameOf}
        onClose={close}
        onOpen={onOpen}
        onFiles={() => onTurn('files')}
      />
    </Suspense>
  )
}

/** Returns the scope as one object, because a new object would search again. The key of the panel changes with it. */
function useScope({ id, spaceId, label }: OpenChannel): SearchScope {
  const spaceName = useAppState((state) => state.spaces[spaceId ?? '']?.name ?? '')
  const [scope] = useState<SearchScope>(
    spaceId === null
      ? { kind: 'conversation', id, name: label }
      : { kind: 'space', id: spaceId, name: spaceName },
  )
  return scope
}
