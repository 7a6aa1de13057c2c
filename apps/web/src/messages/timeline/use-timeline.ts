import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { timelineOf } from '#src/store/selectors.ts'
import type { Timeline } from '#src/store/state.ts'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { noteContentShown } from '#src/ui/loading/content-shown.ts'
import { useBlockedRuns } from '../blocked/use-blocked-runs.ts'
import { loadAround, loadUnread, syncLatest } from '../reading/history.ts'
import { type History, useHistory } from '../reading/use-history.ts'
import { useRead } from '../reading/use-read.ts'
import type { ListView, Reading } from './list-view.ts'
import { readingPositionOf, rememberReadingPosition } from './reading-positions.ts'
import { NEW_KEY, type Row, timelineRows } from './rows.ts'
import { highlight, useJumps } from './use-jumps.ts'
import { useKeptRows } from './use-kept-rows.ts'
import { type RevealedRow, type TimelineScroll, useTimelineScroll } from './use-timeline-scroll.ts'
import { type Unread, useUnread } from './use-unread.ts'

const NONE: never[] = []

/** Scroll target of the first new message: a little below the top, so that the last read message is visible. */
const unreadRow: RevealedRow = { key: NEW_KEY, share: 0.18 }

/** Messages of the open channel, and the scroll position in them. */
export function useTimeline(messageId: string | undefined, editingId: string | null) {
  const channel = useChannel()
  const timeline = useAppState((state) => timelineOf(state, channel.id))
  const unread = useUnread(channel.id)
  const { rows, showBlocked } = useBlockedRuns(useRows(timeline, unread))
  const begin = useBeginning(messageId, unread)
  const history = useHistory({ channel, first: begin.load })
  const list = useRef<HTMLOListElement>(null)
  const { isKept, focused } = useKeptRows(list, editingId)
  const [isUnreadAbove, setIsUnreadAbove] = useState(false)

  function onMoved(view: ListView) {
    const side = view.sideOf(NEW_KEY)
    if (side === 'in view') unread.dismiss()
    setIsUnreadAbove(side === 'above' || unread.range?.isBeyond === true)
  }

  const scroll = useTimelineScroll({
    rows,
    isPresent: timeline?.hasNewer !== true,
    list,
    begin: begin.reading,
    first: begin.row,
    isKept,
    onNearTop: history.loadOlder,
    onNearBottom: history.loadNewer,
    onMoved,
  })
  const isGone = useJumps({ messageId, history, scroll, showBlocked })
  const showUnread = useShowUnread({ isAwaited: begin.row === unreadRow, timeline, unread, history, scroll })
  useRead(channel, scroll.atBottom)
  useRemembered(channel.id, scroll, timeline)
  useNoteShown(timeline !== undefined)
  const unreadSince = sinceOf(rows)
  const shown = { unreadSince, focused, isGone, isUnreadAbove, showUnread, showBlocked }
  return { timeline, rows, unread, history, list, scroll, ...shown }
}

/** Returns the time of the first new message if it is loaded. */
function sinceOf(rows: readonly Row[]): string | null {
  const index = rows.findIndex(({ kind }) => kind === 'new')
  const first = index === -1 ? undefined : rows[index + 1]
  if (first?.kind === 'blocked') return first.messages[0]?.created_at ?? null
  return first?.kind === 'message' ? first.message.created_at : null
}

function useRows(timeline: Timeline | undefined, { range }: Unread): Row[] {
  const { id } = useChannel()
  const outgoing = useAppState((state) => state.outbox[id] ?? NONE)
  const myId = useAppState((state) => state.me?.id ?? '')
  const messages = timeline?.messages ?? NONE
  const { afterSeq = null, count = 0, isBeyond = false } = range ?? {}
  // Messages being sent belong at the end, so they are only shown there.
  const sending = timeline?.hasNewer === true ? NONE : outgoing
  return useMemo(() => {
    const known = afterSeq === null ? null : { afterSeq, count, isBeyond }
    return timelineRows({ messages, outgoing: sending, myId, unread: known })
  }, [messages, sending, myId, afterSeq, count, isBeyond])
}

interface Beginning {
  readonly reading: Reading
  readonly row: RevealedRow | null
  readonly load: typeof syncLatest
}

/** Returns the initial position: the linked message, the previous scroll position, the new messages, or the end. */
function useBeginning(messageId: string | undefined, unread: Unread): Beginning {
  const session = useSession()
  const { id } = useChannel()
  const [beginning] = useState((): Beginning => {
    const atEnd: Reading = { at: 'end' }
    if (messageId !== undefined)
      return { reading: atEnd, row: { key: messageId, share: 'middle', onShown: highlight }, load: nothing }
    const reading = readingPositionOf(session, id)
    const [anchor] = reading.at === 'rows' ? reading.anchors : []
    if (anchor !== undefined)
      return { reading, row: null, load: (server, channel) => loadAround(server, channel, anchor.key) }
    if (unread.range === null || unread.range.count === 0) return { reading, row: null, load: syncLatest }
    return { reading: atEnd, row: unreadRow, load: loadUnread }
  })
  return beginning
}

/** Loads nothing, because jumping to a message loads its messages itself. */
async function nothing(): Promise<void> {}

interface ShowUnreadOptions {
  isAwaited: boolean
  timeline: Timeline | undefined
  unread: Unread
  history: History
  scroll: TimelineScroll
}

/** Shows the first new messages, or the latest ones if there are too many to find the first. */
function useShowUnread({ isAwaited, timeline, unread, history, scroll }: ShowUnreadOptions): () => void {
  const isFirst = useRef(isAwaited)
  const isHere = timeline !== undefined

  function show() {
    const isFound = unread.range?.isBeyond === false
    const loaded = isFound ? Promise.resolve() : history.toUnread()
    scroll.reveal(unreadRow)
    // Waits until the loaded rows are rendered.
    void loaded.then(() => nextFrame(() => nextFrame(scroll.giveUp)))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the messages are loaded
  useEffect(() => {
    if (!isHere || !isFirst.current) return
    isFirst.current = false
    show()
  }, [isHere])

  return show
}

/** Reports that the page shows its content, once the rows are painted. */
function useNoteShown(isHere: boolean): void {
  useEffect(() => {
    if (isHere) nextFrame(() => nextFrame(noteContentShown))
  }, [isHere])
}

/** Remembers the scroll position for when the user returns. */
function useRemembered(id: string, { view }: TimelineScroll, timeline: Timeline | undefined): void {
  const session = useSession()
  const held = useRef(timeline?.messages)
  held.current = timeline?.messages

  useLayoutEffect(
    () => () => {
      const reading = view.current?.reading
      const anchors = reading?.at === 'rows' ? reading.anchors : []
      const kept = anchors.filter(({ key }) => held.current?.some((message) => message.id === key))
      const isBack = kept.length > 0 && view.current?.atBottom === false
      rememberReadingPosition(session, id, isBack ? { at: 'rows', anchors: kept } : { at: 'end' })
    },
    [session, id, view],
  )
}
