import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import type { ShowBlocked } from './use-blocked-runs.ts'
import type { History } from './use-history.ts'
import type { TimelineScroll } from './use-timeline-scroll.ts'

/** How long it is said that a message is not there any more. */
const NOTICE_MS = 5000

interface JumpOptions {
  /** The message that the page's address names. */
  messageId: string | undefined
  history: History
  scroll: Pick<TimelineScroll, 'reveal'>
  showBlocked: ShowBlocked
}

/** Brings messages before the reader's eyes, however long ago they were sent. Where one is gone, its place is shown. */
export function useJumps({ messageId, history, scroll, showBlocked }: JumpOptions) {
  const { store } = useSession()
  const channel = useChannel()
  const [, navigate] = useLocation()
  const [isGone, setIsGone] = useState(false)
  const { toMessage } = history
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
      // Ids are in the order of time: the message before it is where it was.
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
    // The address has served: it must lead there again when it is followed once more.
    navigate(channel.path, { replace: true })
    void jump(messageId)
  }, [messageId, jump, navigate, channel.path])

  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(() => setIsGone(false), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [isGone])

  return isGone
}

/** For the eyes, and for who reads by ear or goes on from there with the keys; not while they leaf through what was found. */
export function highlight(row: HTMLElement): void {
  delete row.dataset.target
  // Reading the layout in between begins the animation anew; a property alone the build would leave out.
  row.getBoundingClientRect()
  row.dataset.target = ''
  row.addEventListener('animationend', () => delete row.dataset.target, { once: true })
  if (document.activeElement?.closest('[data-keeps-focus]') === null) row.focus({ preventScroll: true })
}
