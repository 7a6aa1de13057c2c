import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { nextFrame } from '#src/ui/next-frame.ts'
import { ListView, type Reading } from './list-view.ts'
import { RowHeights } from './row-heights.ts'
import { type Item, listItems, type Reach, windowAround } from './row-window.ts'
import type { Row } from './rows.ts'

export interface TimelineScroll {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly view: RefObject<ListView | null>
  readonly items: readonly Item[]
  readonly atBottom: boolean
  readonly onScroll: () => void
  readonly scrollToBottom: () => void
  /** Shows a row, as soon as there is one with this key. */
  readonly reveal: (target: RevealedRow) => void
  /** Gives a row the focus, and brings it into view. */
  readonly focusRow: (key: string) => void
  /** Goes to the end, where a row is still waited for that is not there. */
  readonly giveUp: () => void
}

export interface RevealedRow {
  readonly key: string
  /** Where in the view it begins, as a share of its height; or in its middle. */
  readonly share: number | 'middle'
  readonly onShown?: (row: HTMLElement) => void
}

interface ScrollOptions {
  rows: readonly Row[]
  /** Whether the last row is the newest that there is. */
  isPresent: boolean
  list: RefObject<HTMLOListElement | null>
  /** Where the reader was when the list was last shown. */
  begin: Reading
  /** What to show first, in place of that. */
  first: RevealedRow | null
  /** Rows that stay, however far away the reader is. */
  isKept: (key: string) => boolean
  onNearTop: () => void
  onNearBottom: () => void
  /** After every scroll and every change of what is shown. */
  onMoved: (view: ListView) => void
}

/** So far before an edge the next page is fetched, to be there when the reader is. */
const EDGE_PX = 1500
/** Beyond the view there is so much to scroll to, above and below. */
const SPARE_PX = 1500
/** At the least, what else is in the window takes so much of its height. */
const FURNITURE_PX = 120
/** Heights are guessed until they are seen: so often the shown rows are chosen anew before anything is painted. */
const MAX_CHOICES = 6

/** Shows the part of a long list that the reader is in, and keeps their place in it. */
export function useTimelineScroll(options: ScrollOptions): TimelineScroll {
  const { rows, isPresent, list, begin, isKept } = options
  const scroller = useRef<HTMLDivElement>(null)
  const [heights] = useState(() => new RowHeights())
  const [center, setCenter] = useState({ key: firstKey(begin) })
  // As it will be found to be: what is shown for who is elsewhere would come and go at once.
  const [atBottom, setAtBottom] = useState(begin.at === 'end' && options.first === null)
  const pending = useRef(options.first)
  const choices = useRef(0)
  const [reach, widen] = useReach()
  const items = useMemo(() => {
    const index = indexOf(rows, center.key)
    return listItems(rows, windowAround(rows, index, heights.of, reach), isKept, heights.of)
  }, [center, rows, isKept, heights, reach])
  const view = useRef<ListView | null>(null)
  const current = useRef(options)
  current.current = options

  const moved = useCallback(() => {
    if (view.current === null || pending.current !== null) return
    setAtBottom(view.current.atBottom)
    if (view.current.above < EDGE_PX) current.current.onNearTop()
    if (view.current.below < EDGE_PX) current.current.onNearBottom()
    current.current.onMoved(view.current)
  }, [])

  useListView({ scroller, list, view }, { heights, begin, moved })
  useShown({ items, rows, isPresent, view, pending, choices, setCenter, moved })

  const onScroll = useCallback(() => {
    view.current?.scrolled()
    choices.current = 0
    const isBlank = view.current?.gapIsNear(0) === true
    const choose = () => setCenter({ key: view.current?.center ?? null })
    if (isBlank) {
      flushSync(() => {
        choose()
        widen()
      })
    } else if (view.current?.gapIsNear() === true) choose()
    moved()
  }, [moved, widen])

  return { scroller, view, items, atBottom, onScroll, ...useCommands({ view, pending, setCenter }, current) }
}

type Commands = Pick<TimelineScroll, 'scrollToBottom' | 'reveal' | 'giveUp' | 'focusRow'>

function useCommands(
  { view, pending, setCenter }: Pick<Shown, 'view' | 'pending' | 'setCenter'>,
  current: RefObject<Pick<ScrollOptions, 'rows'>>,
): Commands {
  return useMemo(() => {
    const scrollToBottom = () => {
      if (view.current === null) return
      pending.current = null
      view.current.toEnd()
      setCenter({ key: null })
    }
    const reveal = (target: RevealedRow) => {
      pending.current = target
      setCenter({ key: view.current?.center ?? null })
    }
    const focus = (row: HTMLElement) => {
      row.focus({ preventScroll: true })
      row.scrollIntoView({ block: 'nearest' })
    }
    const focusRow = (key: string) => {
      const shown = view.current?.elementOf(key) ?? null
      if (shown === null) reveal({ key, share: 'middle', onShown: focus })
      else focus(shown)
    }
    const giveUp = () => {
      const awaited = pending.current?.key
      const isHere = current.current.rows.some(({ key }) => key === awaited)
      if (awaited !== undefined && !isHere) scrollToBottom()
    }
    return { scrollToBottom, reveal, focusRow, giveUp }
  }, [view, pending, setCenter, current])
}

interface Shown {
  items: readonly Item[]
  rows: readonly Row[]
  isPresent: boolean
  view: RefObject<ListView | null>
  pending: RefObject<RevealedRow | null>
  /** How often others were chosen since something happened. */
  choices: RefObject<number>
  setCenter: (center: { key: string | null }) => void
  moved: () => void
}

/** After every change of what is shown, before it is painted: the reader's place, or the row that they asked for. */
function useShown({ items, rows, isPresent, view, pending, choices, setCenter, moved }: Shown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is other rows that allow other choices
  useLayoutEffect(() => {
    choices.current = 0
  }, [rows])

  // Without dependencies: rows change their heights whenever something in them is drawn anew.
  useLayoutEffect(() => {
    const shown = view.current
    if (shown === null) return
    shown.show(items, isPresent)
    const target = pending.current
    if (target !== null && shown.place(target.key, target.share)) {
      pending.current = null
      const element = shown.elementOf(target.key)
      if (element !== null) target.onShown?.(element)
    }
    const awaited = pending.current?.key
    const isMissing = awaited === undefined ? shown.gapIsNear(0) : rows.some(({ key }) => key === awaited)
    if (isMissing && choices.current < MAX_CHOICES) {
      choices.current += 1
      setCenter({ key: awaited ?? shown.center })
    }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: other items may leave the view short
  useEffect(moved, [items, moved])
}

interface ViewOptions {
  heights: RowHeights
  begin: Reading
  moved: () => void
}

/** The view of the list's elements, which are there from the first drawing to the last. */
function useListView(
  { scroller, list, view }: Pick<TimelineScroll, 'scroller' | 'view'> & Pick<ScrollOptions, 'list'>,
  { heights, begin, moved }: ViewOptions,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it begins is asked once
  useLayoutEffect(() => {
    const [box, rows] = [scroller.current, list.current]
    if (box === null || rows === null) return
    const made = new ListView({ box, list: rows }, heights, begin)
    view.current = made
    const observer = new ResizeObserver(() => {
      made.keep()
      moved()
    })
    observer.observe(box)
    observer.observe(rows)
    return () => observer.disconnect()
  }, [scroller, list, view, heights, moved])
}

/**
 * First what is in view: it is seen so much sooner. What one may scroll to comes when that is painted, as soon as there is
 * time for it; or at once, by what this returns besides, for who scrolls so fast that there is none.
 */
function useReach(): [Reach, () => void] {
  const [reach, setReach] = useState<Reach>(() => ({ above: 0, below: window.innerHeight - FURNITURE_PX }))
  const widen = useCallback(() => setReach({ above: SPARE_PX, below: window.innerHeight + SPARE_PX }), [])
  useEffect(() => {
    let isOver = false
    nextFrame(() => nextFrame(() => isOver || startTransition(widen)))
    return () => {
      isOver = true
    }
  }, [widen])
  return [reach, widen]
}

function indexOf(rows: readonly Row[], center: string | null): number {
  const found = center === null ? -1 : rows.findIndex(({ key }) => key === center)
  return found === -1 ? Math.max(0, rows.length - 1) : found
}

function firstKey(reading: Reading): string | null {
  return reading.at === 'end' ? null : (reading.places[0]?.key ?? null)
}
