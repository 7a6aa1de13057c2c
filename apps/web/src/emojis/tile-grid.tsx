import { type KeyboardEvent, memo, type RefObject, useCallback, useRef, useState } from 'react'
import { pictureUrl } from '#src/images/picture-url.ts'
import { keyAlongLine } from '#src/ui/direction.ts'
import { firstPosition, type GridPosition, moveInGrid } from './grid.ts'
import './tile-grid.css'
import type { Tile, TileGroup } from './tiles.ts'

interface TileGridProps {
  groups: readonly TileGroup[]
  size: 'small' | 'large'
  onChoose: (tile: Tile) => void
  /** Called with the tile under the pointer or with the focus. */
  onLook?: (tile: Tile) => void
  /** Receives the focus on arrow up in the first row. */
  above: RefObject<HTMLElement | null>
}

/** Groups of tiles with a roving tab stop: arrow keys move the focus. */
export const TileGrid = memo(function TileGrid({ groups, size, onChoose, onLook, above }: TileGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [chosenPosition, setPosition] = useState<GridPosition>({ group: 0, index: 0 })
  const sizes = groups.map(({ tiles }) => tiles.length)
  const isValid = chosenPosition.index < (sizes[chosenPosition.group] ?? 0)
  const position = isValid ? chosenPosition : firstPosition({ sizes, columns: 1 })
  const look = useCallback((tile: Tile) => onLook?.(tile), [onLook])

  function onKeyDown(event: KeyboardEvent) {
    if (position === null || grid.current === null) return
    const next = moveInGrid({ sizes, columns: columnsOf(grid.current) }, position, keyAlongLine(event.key))
    if (next === undefined) return
    event.preventDefault()
    if (next === null) return above.current?.focus()
    setPosition(next)
    grid.current.querySelector<HTMLElement>(`[data-place="${next.group}-${next.index}"]`)?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its buttons
    <div ref={grid} className={`tile-grid tile-grid-${size}`} onKeyDown={onKeyDown}>
      {groups.map((group, index) => (
        <Group
          key={group.id}
          group={group}
          number={index}
          tabStop={position?.group === index ? position.index : -1}
          onChoose={onChoose}
          onLook={look}
          onPosition={setPosition}
        />
      ))}
    </div>
  )
})

interface GroupProps {
  group: TileGroup
  number: number
  /** Index of the tile that is the tab stop, or -1. */
  tabStop: number
  onChoose: (tile: Tile) => void
  onLook: (tile: Tile) => void
  onPosition: (position: GridPosition) => void
}

/** Typical number of columns, to estimate the height of groups that have not been rendered. */
const USUAL_COLUMNS = 8

const Group = memo(function Group({ group, number, tabStop, onChoose, onLook, onPosition }: GroupProps) {
  const rows = Math.ceil(group.tiles.length / USUAL_COLUMNS)
  return (
    <section className="tile-group" data-group={group.id} aria-label={group.label} style={{ '--rows': rows }}>
      <p className="tile-heading" aria-hidden="true">
        {group.label}
      </p>
      <div className="tiles">
        {group.tiles.map((tile, index) => (
          <button
            key={tile.key}
            type="button"
            className="tile"
            aria-label={tile.label}
            title={tile.label}
            data-place={`${number}-${index}`}
            tabIndex={index === tabStop ? 0 : -1}
            onClick={() => onChoose(tile)}
            onFocus={() => {
              onPosition({ group: number, index })
              onLook(tile)
            }}
            onPointerEnter={() => onLook(tile)}
          >
            <TilePicture tile={tile} />
          </button>
        ))}
      </div>
    </section>
  )
})

export function TilePicture({ tile: { text, pictureId } }: { tile: Tile }) {
  if (pictureId === null) return text
  return <img src={pictureUrl(pictureId)} alt="" loading="lazy" decoding="async" draggable={false} />
}

function columnsOf(grid: HTMLElement): number {
  const tiles = grid.querySelector('.tiles')
  return tiles === null ? 1 : getComputedStyle(tiles).gridTemplateColumns.split(' ').length
}
