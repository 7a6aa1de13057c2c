import type { WatchedPicture } from '@foyer/protocol/voice'
import { type RefObject, useEffect } from 'react'
import { useVideoControl } from './use-video.ts'

/** Reports the height at which a picture is shown, so that it is received in that size, and only while it is in sight. */
export function useShownHeight(
  frame: RefObject<Element | null>,
  source: WatchedPicture['source'],
  userId: string,
): void {
  const video = useVideoControl()
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const picture = { user_id: userId, source }
    const place = {}
    let isNear = false
    const report = () => {
      const isShown = isNear && document.visibilityState === 'visible'
      video.show(picture, place, isShown ? element.clientHeight * window.devicePixelRatio : 0)
    }
    const sight = new IntersectionObserver((entries) => {
      isNear = entries.at(-1)?.isIntersecting === true
      report()
    })
    const size = new ResizeObserver(report)
    sight.observe(element)
    size.observe(element)
    document.addEventListener('visibilitychange', report)
    return () => {
      sight.disconnect()
      size.disconnect()
      document.removeEventListener('visibilitychange', report)
      video.show(picture, place, null)
    }
  }, [frame, source, userId, video])
}
