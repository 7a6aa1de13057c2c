import { FolderOpen, Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { t } from '#src/language/texts.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import type { SearchSide, SearchSideProps } from './open-side.ts'

const loadSide = () => import('./search-side.tsx').then((module) => module.SearchSidePanel)
const SearchSidePanel = lazyComponent(loadSide)
/** Delay of the preload, to let the page itself load first. */
const PRELOAD_MS = 1500

/** Header buttons that open the files or the search next to the page, or over it in narrow windows. */
export function SearchButtons(props: SearchSideProps) {
  const { side, turn } = props
  useShortcut('search', () => {
    if (side === 'search') document.querySelector<HTMLElement>('.search-line input')?.focus()
    else turn('search')
  })
  usePreload()
  const toggle = (next: SearchSide) => turn(side === next ? null : next)
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
      <SidePlace {...props} />
    </>
  )
}

/** The open panel, next to the page or over it. */
function SidePlace({ channel, side, turn }: SearchSideProps) {
  const isVeryWide = useMediaQuery(VERY_WIDE)
  const shown = useLast(side)
  const main = document.querySelector('#main')
  const panel = (
    <Suspense>
      <SearchSidePanel
        key={channel.spaceId ?? channel.id}
        channel={channel}
        side={shown}
        onTurn={turn}
        onOpen={() => turn(isVeryWide ? shown : null)}
      />
    </Suspense>
  )
  if (isVeryWide) return side !== null && main !== null && createPortal(panel, main)
  return (
    <Drawer
      open={side !== null}
      onOpenChange={(open) => open || turn(null)}
      side="end"
      label={shown === 'files' ? t('Files') : t('Search messages')}
    >
      {panel}
    </Drawer>
  )
}

/** Returns the open panel, or else the one that was open last, which the drawer shows while it closes. */
function useLast(side: SearchSide | null): SearchSide {
  const [last, setLast] = useState<SearchSide>('search')
  if (side !== null && side !== last) setLast(side)
  return side ?? last
}

/** Preloads the search, because text typed right after the shortcut must go to it. */
function usePreload(): void {
  useEffect(() => {
    // A failed preload is repeated when the panel opens.
    const timer = setTimeout(() => void loadSide().catch(() => undefined), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
}
