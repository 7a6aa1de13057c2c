import { type KeyboardEvent, memo, type RefObject, useCallback, useRef, useState } from 'react'
import { pictureUrl } from '#src/images/picture-url.ts'
import { keyAlongLine } from '#src/ui/direction.ts'
import { firstPlace, type GridPlace, moveInGrid } from './grid.ts'
import './tile-grid.css'
import type { Tile, TileGroup } from './tiles.ts'

interface TileGridProps {
  groups: readonly TileGroup[]
  size: 'small' | 'large'
  onChoose: (tile: Tile) => void
  /** The tile that is pointed at or has the focus. */
  onLook?: (tile: Tile) => void
  /** Where the arrow up leads from the first row. */
  above: RefObject<HTMLElement | null>
}

/** Tiles in groups. The Tab key stops at one of them, and arrows lead to the others. */
export const TileGrid = memo(function TileGrid({ groups, size, onChoose, onLook, above }: TileGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [chosenPlace, setPlace] = useState<GridPlace>({ group: 0, index: 0 })
  const sizes = groups.map(({ tiles }) => tiles.length)
  const isThere = chosenPlace.index < (sizes[chosenPlace.group] ?? 0)
  const place = isThere ? chosenPlace : firstPlace({ sizes, columns: 1 })
  const look = useCallback((tile: Tile) => onLook?.(tile), [onLook])

  function onKeyDown(event: KeyboardEvent) {
    if (place === null || grid.current === null) return
    const next = moveInGrid({ sizes, columns: columnsOf(grid.current) }, place, keyAlongLine(event.key))
    if (next === undefined) return
    event.preventDefault()
    if (next === null) return above.current?.focus()
    setPlace(next)
    grid.current.querySelector<HTMLElement>(`[data-place="${next.group}-${next.index}"]`)?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the buttons in it
    <div ref={grid} className={`tile-grid tile-grid-${size}`} onKeyDown={onKeyDown}>
      {groups.map((group, index) => (
        <Group
          key={group.id}
          group={group}
          number={index}
          tabStop={place?.group === index ? place.index : -1}
          onChoose={onChoose}
          onLook={look}
          onPlace={setPlace}
        />
      ))}
    </div>
  )
})

interface GroupProps {
  group: TileGroup
  number: number
  /** Which of its tiles the Tab key stops at, -1 for none. */
  tabStop: number
  onChoose: (tile: Tile) => void
  onLook: (tile: Tile) => void
  onPlace: (place: GridPlace) => void
}

/** About as many stand in a row: only how high a group is before it was ever drawn depends on it. */
const USUAL_COLUMNS = 8

const Group = memo(function Group({ group, number, tabStop, onChoose, onLook, onPlace }: GroupProps) {
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
              onPlace({ group: number, index })
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

/** What a tile looks like, wherever it stands. */
export function TilePicture({ tile: { text, pictureId } }: { tile: Tile }) {
  if (pictureId === null) return text
  return <img src={pictureUrl(pictureId)} alt="" loading="lazy" decoding="async" draggable={false} />
}

function columnsOf(grid: HTMLElement): number {
  const tiles = grid.querySelector('.tiles')
  return tiles === null ? 1 : getComputedStyle(tiles).gridTemplateColumns.split(' ').length
}
