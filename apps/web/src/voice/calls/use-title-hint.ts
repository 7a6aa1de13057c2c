import { useEffect } from 'react'

const EVERY_MS = 1000

/** Alternates the tab's title with a hint, for users looking at another tab. */
export function useTitleHint(hint: string): void {
  useEffect(() => {
    let plain = document.title
    const restore = () => {
      if (document.title === hint) document.title = plain
      else plain = document.title
    }
    const turn = () => {
      const isShown = document.title === hint
      restore()
      if (!isShown) document.title = hint
    }
    turn()
    const timer = setInterval(turn, EVERY_MS)
    return () => {
      clearInterval(timer)
      restore()
    }
  }, [hint])
}
