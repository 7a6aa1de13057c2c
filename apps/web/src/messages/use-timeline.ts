import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { timelineOf } from '#src/store/selectors.ts'
import type { Timeline } from '#src/store/state.ts'
import { nextFrame } from '#src/ui/next-frame.ts'
import { loadAround, loadUnread, syncLatest } from './history.ts'
import type { ListView, Reading } from './list-view.ts'
import { placeIn, rememberPlace } from './places.ts'
import { NEW_KEY, type Row, timelineRows } from './rows.ts'
import { useBlockedRuns } from './use-blocked-runs.ts'
import { type History, useHistory } from './use-history.ts'
import { highlight, useJumps } from './use-jumps.ts'
import { useKeptRows } from './use-kept-rows.ts'
import { type News, useNews } from './use-news.ts'
import { useRead } from './use-read.ts'
import { type RevealedRow, type TimelineScroll, useTimelineScroll } from './use-timeline-scroll.ts'

const NONE: never[] = []

/** The first new message stands a little below the top: what was read before it is seen too. */
const newsRow: RevealedRow = { key: NEW_KEY, share: 0.18 }

/** The open channel's messages, and the reader's place in them. */
export function useTimeline(messageId: string | undefined, editingId: string | null) {
  const channel = useChannel()
  const timeline = useAppState((state) => timelineOf(state, channel.id))
  const news = useNews(channel.id)
  const { rows, showBlocked } = useBlockedRuns(useRows(timeline, news))
  const begin = useBeginning(messageId, news)
  const history = useHistory({ channel, first: begin.load })
  const list = useRef<HTMLOListElement>(null)
  const { isKept, focused } = useKeptRows(list, editingId)
  const [isNewsAbove, setIsNewsAbove] = useState(false)

  function onMoved(view: ListView) {
    const side = view.sideOf(NEW_KEY)
    if (side === 'in view') news.tell()
    setIsNewsAbove(side === 'above' || news.range?.isBeyond === true)
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
  const showNews = useShowNews({ isAwaited: begin.row === newsRow, timeline, news, history, scroll })
  useRead(channel, scroll.atBottom)
  useRemembered(channel.id, scroll, timeline)
  const newsSince = sinceOf(rows)
  const shown = { newsSince, focused, isGone, isNewsAbove, showNews, showBlocked }
  return { timeline, rows, news, history, list, scroll, ...shown }
}

/** When the first new message was sent, where it is held. */
function sinceOf(rows: readonly Row[]): string | null {
  const index = rows.findIndex(({ kind }) => kind === 'new')
  const first = index === -1 ? undefined : rows[index + 1]
  if (first?.kind === 'blocked') return first.messages[0]?.created_at ?? null
  return first?.kind === 'message' ? first.message.created_at : null
}

function useRows(timeline: Timeline | undefined, { range }: News): Row[] {
  const { id } = useChannel()
  const outgoing = useAppState((state) => state.outbox[id] ?? NONE)
  const myId = useAppState((state) => state.me?.id ?? '')
  const messages = timeline?.messages ?? NONE
  const { afterSeq = null, count = 0, isBeyond = false } = range ?? {}
  // What is on its way belongs to the present.
  const sending = timeline?.hasNewer === true ? NONE : outgoing
  return useMemo(() => {
    const known = afterSeq === null ? null : { afterSeq, count, isBeyond }
    return timelineRows({ messages, outgoing: sending, myId, news: known })
  }, [messages, sending, myId, afterSeq, count, isBeyond])
}

interface Beginning {
  readonly reading: Reading
  readonly row: RevealedRow | null
  readonly load: typeof syncLatest
}

/** Where one is when the channel opens: at the message that one came for, where one was, at what is new, or at the end. */
function useBeginning(messageId: string | undefined, news: News): Beginning {
  const session = useSession()
  const { id } = useChannel()
  const [beginning] = useState((): Beginning => {
    const atEnd: Reading = { at: 'end' }
    if (messageId !== undefined)
      return { reading: atEnd, row: { key: messageId, share: 'middle', onShown: highlight }, load: nothing }
    const reading = placeIn(session, id)
    const [place] = reading.at === 'rows' ? reading.places : []
    if (place !== undefined)
      return { reading, row: null, load: (server, channel) => loadAround(server, channel, place.key) }
    if (news.range === null || news.range.count === 0) return { reading, row: null, load: syncLatest }
    return { reading: atEnd, row: newsRow, load: loadUnread }
  })
  return beginning
}

/** Jumping there loads what is about it. */
async function nothing(): Promise<void> {}

interface ShowNewsOptions {
  isAwaited: boolean
  timeline: Timeline | undefined
  news: News
  history: History
  scroll: TimelineScroll
}

/** Shows where the new messages begin; the present, where they are too many to find that. */
function useShowNews({ isAwaited, timeline, news, history, scroll }: ShowNewsOptions): () => void {
  const isFirst = useRef(isAwaited)
  const isHere = timeline !== undefined

  function show() {
    const isFound = news.range?.isBeyond === false
    const loaded = isFound ? Promise.resolve() : history.toUnread()
    scroll.reveal(newsRow)
    // Once what was loaded is drawn.
    void loaded.then(() => nextFrame(() => nextFrame(scroll.giveUp)))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the channel's messages are there
  useEffect(() => {
    if (!isHere || !isFirst.current) return
    isFirst.current = false
    show()
  }, [isHere])

  return show
}

/** The reader finds their place again when they come back. */
function useRemembered(id: string, { view }: TimelineScroll, timeline: Timeline | undefined): void {
  const session = useSession()
  const held = useRef(timeline?.messages)
  held.current = timeline?.messages

  useLayoutEffect(
    () => () => {
      const reading = view.current?.reading
      const places = reading?.at === 'rows' ? reading.places : []
      const kept = places.filter(({ key }) => held.current?.some((message) => message.id === key))
      const isBack = kept.length > 0 && view.current?.atBottom === false
      rememberPlace(session, id, isBack ? { at: 'rows', places: kept } : { at: 'end' })
    },
    [session, id, view],
  )
}
