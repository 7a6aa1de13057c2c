import type { SpaceSticker } from '@foyer/protocol/stickers'
import { Sticker } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { searchNames } from './emoji-search.ts'
import { TileGrid } from './tile-grid.tsx'
import { imageTile, type Tile } from './tiles.ts'

interface StickerPanelProps {
  spaceId: string | null
  onSticker: (sticker: SpaceSticker) => void
}

const NONE: never[] = []

export function StickerPanel({ spaceId, onSticker }: StickerPanelProps) {
  const space = useAppState((state) => (spaceId === null ? undefined : state.spaces[spaceId]))
  const [query, setQuery] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const stickers = space?.stickers ?? NONE
  const groups = useMemo(() => {
    const tiles = searchNames(stickers, query).map(imageTile)
    return tiles.length === 0 ? NONE : [{ id: 'space', label: space?.name ?? '', tiles }]
  }, [stickers, query, space?.name])

  function choose(tile: Tile) {
    const sticker = stickers.find(({ id }) => id === tile.key)
    if (sticker !== undefined) onSticker(sticker)
  }

  if (stickers.length === 0)
    return (
      <EmptyNote icon={<Sticker />} title={t('No stickers yet')}>
        {t(
          'Stickers of this space appear here. Members who can manage stickers add them in the space settings.',
        )}
      </EmptyNote>
    )
  return (
    <div className="emoji-panel">
      <div className="emoji-search">
        <SearchField label={t('Search stickers')} value={query} onChange={setQuery} input={search} />
      </div>
      <div className="emoji-scroll">
        <TileGrid groups={groups} size="large" onChoose={choose} above={search} />
        <p className="emoji-note" role="status">
          {groups.length === 0 && t('No stickers match.')}
        </p>
      </div>
    </div>
  )
}
