import { type KeyboardEvent, useRef, useState } from 'react'
import { ImageTile } from '#src/attachments/image-tile.tsx'
import { kindOf } from '#src/attachments/transfer/kinds.ts'
import { VideoTile } from '#src/attachments/video-tile.tsx'
import { firstPosition, type GridPosition, moveInGrid } from '#src/emojis/grid.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { keyAlongLine } from '#src/ui/direction.ts'
import { RowFocus } from '#src/ui/focus/row-focus.ts'
import { isWithin } from '#src/ui/lists/is-within.ts'
import { formatMonth } from '#src/ui/time/time.ts'
import './media-grid.css'
import { MediaViewer } from './media-viewer.tsx'
import { type Month, monthsOf, type SharedFile } from './shared-files.ts'

interface MediaGridProps {
  media: readonly SharedFile[]
  /** True if there may be older pictures and videos to load. */
  hasMore: boolean
  nameOf: NameLookup
  /** Called when the user comes close to the last picture in the lightbox. */
  onNearEnd: () => void
  onOpen: () => void
}

/** Pictures and videos by month, with one tab stop: arrow keys move between them. Each opens in the lightbox. */
export function MediaGrid({ media, ...viewer }: MediaGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<number | null>(null)
  const [chosen, setChosen] = useState<GridPosition>({ group: 0, index: 0 })
  const months = monthsOf(media)
  const sizes = months.map(({ files }) => files.length)
  const isValid = chosen.index < (sizes[chosen.group] ?? 0)
  const stop = isValid ? chosen : firstPosition({ sizes, columns: 1 })

  function onKeyDown(event: KeyboardEvent) {
    // The lightbox takes the focus a moment after it opens. Until then, Escape must not close the panel around the
    // grid.
    if (opened !== null && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setOpened(null)
      return
    }
    if (stop === null || grid.current === null || !isWithin(event)) return
    const next = moveInGrid({ sizes, columns: columnsOf(grid.current) }, stop, keyAlongLine(event.key))
    if (next === undefined || next === null) return
    event.preventDefault()
    setChosen(next)
    grid.current.querySelector<HTMLElement>(`[data-place="${next.group}-${next.index}"] button`)?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its buttons
    <div ref={grid} className="media-months" onKeyDown={onKeyDown}>
      {months.map((month, group) => (
        <MonthOfMedia
          key={month.key}
          month={month}
          group={group}
          stop={stop?.group === group ? stop.index : -1}
          onFocus={setChosen}
          onShow={(index) => setOpened(sizes.slice(0, group).reduce((sum, size) => sum + size, index))}
        />
      ))}
      {opened !== null && (
        <MediaViewer media={media} start={opened} {...viewer} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

interface MonthOfMediaProps {
  month: Month
  group: number
  /** Index of the tile that is the tab stop, or -1. */
  stop: number
  onFocus: (position: GridPosition) => void
  onShow: (index: number) => void
}

function MonthOfMedia({ month, group, stop, onFocus, onShow }: MonthOfMediaProps) {
  return (
    <section>
      <h3 className="files-month">{formatMonth(month.time)}</h3>
      <ul className="media-grid">
        {month.files.map(({ key, file }, index) => {
          const Tile = kindOf(file.content_type) === 'video' ? VideoTile : ImageTile
          return (
            <li key={key} data-place={`${group}-${index}`} onFocus={() => onFocus({ group, index })}>
              <RowFocus value={index === stop}>
                <Tile file={file} onOpen={() => onShow(index)} />
              </RowFocus>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function columnsOf(grid: HTMLElement): number {
  const tiles = grid.querySelector('.media-grid')
  return tiles === null ? 1 : getComputedStyle(tiles).gridTemplateColumns.split(' ').length
}
