import { useState } from 'react'
import { createPortal } from 'react-dom'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'
import type { SearchSide, SearchSideProps } from './open-side.ts'
import { SearchPanel } from './search-panel.tsx'
import type { SearchScope } from './use-search.ts'

const FilesPanel = lazyPopup(() => import('./files/files-panel.tsx').then((module) => module.FilesPanel))

/** The files or the search, next to the page or over it. */
export function SearchSidePanel({ channel, side, turn }: SearchSideProps) {
  const isVeryWide = useMediaQuery(VERY_WIDE)
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
      {isVeryWide && side !== null && main !== null && createPortal(panel, main)}
      {!isVeryWide && (
        <Drawer
          open={side !== null}
          onOpenChange={(open) => open || turn(null)}
          side="end"
          label={shown === 'files' ? t('Files') : t('Search messages')}
        >
          {panel}
        </Drawer>
      )}
    </>
  )
}

/** Returns the panel that is or was open, which stays in the drawer while that closes. */
function useLast(side: SearchSide | null): SearchSide {
  const [last, setLast] = useState<SearchSide>('search')
  if (side !== null && side !== last) setLast(side)
  return side ?? last
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
    <SearchPanel
      scope={scope}
      nameOf={channel.nameOf}
      onClose={close}
      onOpen={onOpen}
      onFiles={() => onTurn('files')}
    />
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
