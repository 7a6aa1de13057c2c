import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { counted, t } from '#src/language/texts.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import type { EmojiGroup } from './emoji-data.ts'
import { GroupLinks } from './group-links.tsx'
import { knownTone, recentKeys, rememberTone, rememberUse } from './picker-memory.ts'
import { TileGrid, TilePicture } from './tile-grid.tsx'
import { foundGroups, type Tile, type TileGroup, tileGroups } from './tiles.ts'
import { ToneChoice } from './tone-choice.tsx'
import { useEmojiGroups } from './use-emoji-groups.ts'
import { useEmojiSpaces } from './use-emoji-spaces.ts'

interface EmojiPanelProps {
  /** Null in a conversation, where custom emojis of all spaces of the user can be used. */
  spaceId: string | null
  onEmoji: (text: string) => void
}

/** All available emojis, in groups or as search results. */
export function EmojiPanel({ spaceId, onEmoji }: EmojiPanelProps) {
  const groups = useEmojiGroups()
  const [query, setQuery] = useState('')
  const [tone, setTone] = useState(knownTone)
  const [looked, setLooked] = useState<Tile | null>(null)
  const [isEntered, setIsEntered] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const { shown, find } = useTileGroups({ spaceId, groups, query, tone })

  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the top for new results
  useEffect(() => {
    scroll.current?.scrollTo(0, 0)
  }, [query])

  const choose = useCallback(
    (tile: Tile) => {
      rememberUse(tile.key)
      onEmoji(tile.text)
    },
    [onEmoji],
  )

  // Enter may be pressed before the emojis have loaded.
  useEffect(() => {
    if (!isEntered || groups === undefined) return
    setIsEntered(false)
    const first = find(query)
    if (first !== undefined) choose(first)
  }, [isEntered, groups, find, query, choose])

  function changeQuery(next: string) {
    setIsEntered(false)
    setQuery(next)
  }

  function changeTone(next: number) {
    rememberTone(next)
    setTone(next)
    setLooked(null)
  }

  function onSearchKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
    // Keeps Enter from reaching the field that receives the focus next.
    event.preventDefault()
    if (event.key === 'Enter' && query.trim() !== '') return setIsEntered(true)
    panel.current?.querySelector<HTMLElement>('.tile[tabindex="0"]')?.focus()
  }

  return (
    <div ref={panel} className="emoji-panel">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its field */}
      <div className="emoji-search" onKeyDown={onSearchKey}>
        <SearchField label={t('Search emoji')} value={query} onChange={changeQuery} input={search} />
      </div>
      {query.trim() === '' && <GroupLinks groups={shown} panel={panel} />}
      <div ref={scroll} className="emoji-scroll">
        <TileGrid groups={shown} size="small" onChoose={choose} onLook={setLooked} above={search} />
        <p className="emoji-note" role="status">
          {noteOf(groups, shown, query)}
        </p>
        <p className="visually-hidden" role="status">
          {query.trim() !== '' && foundText(shown)}
        </p>
      </div>
      <footer className="emoji-foot">
        <p className="emoji-look" aria-hidden="true">
          {looked !== null && (
            <>
              <span className="emoji-looked">
                <TilePicture tile={looked} />
              </span>
              <span className="emoji-label">{looked.label}</span>
            </>
          )}
        </p>
        <ToneChoice tone={tone} onChange={changeTone} />
      </footer>
    </div>
  )
}

const NONE: never[] = []

interface Wanted {
  spaceId: string | null
  groups: readonly EmojiGroup[] | undefined | null
  query: string
  tone: number
}

interface Offered {
  readonly shown: readonly TileGroup[]
  /** Returns the first match for the current query. `shown` is deferred, and may still have results of the previous query. */
  readonly find: (name: string) => Tile | undefined
}

/** Returns the groups to show. Recent emojis are read once, so that tiles do not move while the picker is open. */
function useTileGroups({ spaceId, groups, query, tone }: Wanted): Offered {
  const spaces = useEmojiSpaces(spaceId)
  const [recent] = useState(recentKeys)
  const deferredQuery = useDeferredValue(query.trim())
  const source = useMemo(() => ({ groups: groups ?? NONE, spaces, tone }), [groups, spaces, tone])
  const wanted = useMemo(
    () => (deferredQuery === '' ? tileGroups(source, recent) : foundGroups(source, deferredQuery)),
    [source, deferredQuery, recent],
  )
  const find = useCallback((name: string) => foundGroups(source, name.trim())[0]?.tiles[0], [source])
  // Renders the first screen immediately, and the rest in the background.
  return { shown: useDeferredValue(wanted, wanted.slice(0, 3)), find }
}

/** Returns the number of results, as a text for screen readers; empty if there are none. */
function foundText(shown: readonly TileGroup[]): string {
  const count = shown.reduce((sum, { tiles }) => sum + tiles.length, 0)
  if (count === 0) return ''
  return counted(count, '{count} emoji found', '{count} emoji found')
}

function noteOf(groups: Wanted['groups'], shown: readonly TileGroup[], query: string): string {
  if (groups === undefined) return t('Loading emoji…')
  if (groups === null) return t('Some emoji couldn’t be loaded. Close and reopen the picker to try again.')
  return query.trim() !== '' && shown.length === 0 ? t('No emoji match.') : ''
}
