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
import { nextFrame } from '#src/ui/focus/next-frame.ts'
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
  /** Scrolls to a row as soon as a row with this key exists. */
  readonly reveal: (target: RevealedRow) => void
  /** Focuses a row and scrolls to it. */
  readonly focusRow: (key: string) => void
  /** Scrolls to the end if the row to reveal never appeared. */
  readonly giveUp: () => void
}

export interface RevealedRow {
  readonly key: string
  /** Position of the row: a share of the view's height, from the top, or the middle of the view. */
  readonly share: number | 'middle'
  readonly onShown?: (row: HTMLElement) => void
}

interface ScrollOptions {
  rows: readonly Row[]
  /** True if the last row is the newest message. */
  isPresent: boolean
  list: RefObject<HTMLOListElement | null>
  /** Scroll position when the list was last shown. */
  begin: Reading
  /** Row to show first; null to show the position `begin`. */
  first: RevealedRow | null
  /** Rows that stay rendered, however far away they are. */
  isKept: (key: string) => boolean
  onNearTop: () => void
  onNearBottom: () => void
  /** Called after every scroll and every change of the items. */
  onMoved: (view: ListView) => void
}

/** Distance from an edge at which the next page is loaded. */
const EDGE_PX = 1500
/** Pixels rendered above and below the view. */
const SPARE_PX = 1500
/** Minimum height of the window outside the list, which is used by the header above and the composer below. */
const REST_PX = 120
/** Maximum times that the rendered rows are chosen again before painting. Until they are rendered, heights are estimates. */
const MAX_CHOICES = 6

/** Renders the part of a long list around the view and keeps the scroll position. */
export function useTimelineScroll(options: ScrollOptions): TimelineScroll {
  const { rows, isPresent, list, begin, isKept } = options
  const scroller = useRef<HTMLDivElement>(null)
  const [heights] = useState(() => new RowHeights())
  const [center, setCenter] = useState({ key: firstKey(begin) })
  // Starts with the expected value, so that the jump button does not flash.
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
  /** How often rows were chosen again since the last event. */
  choices: RefObject<number>
  setCenter: (center: { key: string | null }) => void
  moved: () => void
}

/** Runs after every change of the items, before painting: restores the scroll position or reveals the requested row. */
function useShown({ items, rows, isPresent, view, pending, choices, setCenter, moved }: Shown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows reset the count
  useLayoutEffect(() => {
    choices.current = 0
  }, [rows])

  // The effect has no dependencies, because every render may change the heights of rows.
  useLayoutEffect(() => {
    const shown = view.current
    if (shown === null) return
    shown.show(items, isPresent)
    const target = pending.current
    if (target !== null && shown.scrollTo(target.key, target.share)) {
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: new items may not fill the view
  useEffect(moved, [items, moved])
}

interface ViewOptions {
  heights: RowHeights
  begin: Reading
  moved: () => void
}

/** Creates the `ListView`. Its elements exist from the first render to the last. */
function useListView(
  { scroller, list, view }: Pick<TimelineScroll, 'scroller' | 'view'> & Pick<ScrollOptions, 'list'>,
  { heights, begin, moved }: ViewOptions,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the initial position is read once
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
 * Renders only the visible part first, which is faster. The rest follows when the browser is idle, or immediately by
 * calling the returned function, for users who scroll fast.
 */
function useReach(): [Reach, () => void] {
  const [reach, setReach] = useState<Reach>(() => ({ above: 0, below: window.innerHeight - REST_PX }))
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
  return reading.at === 'end' ? null : (reading.anchors[0]?.key ?? null)
}
