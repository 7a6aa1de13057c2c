import { useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import type { SearchSide } from './open-side.ts'
import { SearchPanel } from './search-panel.tsx'
import type { SearchScope } from './use-search.ts'

const FilesPanel = lazyPopup(() => import('./files/files-panel.tsx').then((module) => module.FilesPanel))

interface SearchSidePanelProps {
  channel: OpenChannel
  side: SearchSide
  onTurn: (side: SearchSide | null) => void
  onOpen: () => void
}

/** The files or the search. */
export function SearchSidePanel({ channel, side, onTurn, onOpen }: SearchSidePanelProps) {
  const scope = useScope(channel)
  const close = () => onTurn(null)
  if (side === 'files') return <FilesPanel scope={scope} channel={channel} onClose={close} onOpen={onOpen} />
  return (
    <SearchPanel
      scope={scope}
      channel={channel}
      onClose={close}
      onOpen={onOpen}
      onFiles={() => onTurn('files')}
    />
  )
}

/** Always returns the first scope object, because a new one would repeat the search. Another scope remounts the panel. */
function useScope({ id, spaceId, label }: OpenChannel): SearchScope {
  const spaceName = useAppState((state) => state.spaces[spaceId ?? '']?.name ?? '')
  const [scope] = useState<SearchScope>(
    spaceId === null
      ? { kind: 'conversation', id, name: label }
      : { kind: 'space', id: spaceId, name: spaceName },
  )
  return scope
}
