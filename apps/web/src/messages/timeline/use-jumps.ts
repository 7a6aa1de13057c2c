import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import type { ShowBlocked } from '../blocked/use-blocked-runs.ts'
import type { History } from '../reading/use-history.ts'
import type { TimelineScroll } from './use-timeline-scroll.ts'

/** Time that the notice about a missing message is shown. */
const NOTICE_MS = 5000

interface JumpOptions {
  /** Message named in the page's URL. */
  messageId: string | undefined
  history: History
  scroll: Pick<TimelineScroll, 'reveal'>
  showBlocked: ShowBlocked
}

/** Scrolls to messages, however old they are. If a message was deleted, scrolls to where it was. */
export function useJumps({ messageId, history, scroll, showBlocked }: JumpOptions) {
  const { store } = useSession()
  const channel = useChannel()
  const [, navigate] = useLocation()
  const [isGone, setIsGone] = useState(false)
  const { toMessage } = history
  const { path, home = path } = channel
  const { reveal } = scroll

  const jump = useCallback(
    async (id: string) => {
      const held = () => store.get().timelines[channel.id]?.messages ?? []
      const isHeld = () => held().some((message) => message.id === id)
      const show = (key: string) => {
        showBlocked([key], true)
        reveal({ key, share: 'middle', onShown: highlight })
      }
      if (isHeld()) return show(id)
      await toMessage(id)
      // Ids are ordered by time, so the message before a deleted one marks its position.
      const nearest = held().findLast((message) => message.id <= id) ?? held()[0]
      if (nearest !== undefined) show(nearest.id)
      setIsGone(!isHeld())
    },
    [store, channel.id, toMessage, reveal, showBlocked],
  )

  const consumed = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (messageId === consumed.current) return
    consumed.current = messageId
    if (messageId === undefined) return
    // Removes the message from the URL, so that following the same link again works.
    navigate(home, { replace: true })
    void jump(messageId)
  }, [messageId, jump, navigate, home])

  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(() => setIsGone(false), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [isGone])

  return isGone
}

/** Highlights and focuses a row. If the search or files panel has the focus, it keeps the focus. */
export function highlight(row: HTMLElement): void {
  delete row.dataset.target
  // Reading the layout restarts the animation. A property access alone would be removed by the build.
  row.getBoundingClientRect()
  row.dataset.target = ''
  row.addEventListener('animationend', () => delete row.dataset.target, { once: true })
  if (document.activeElement?.closest('[data-keeps-focus]') === null) row.focus({ preventScroll: true })
}
