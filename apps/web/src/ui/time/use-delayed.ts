import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that runs the action after the delay, once for all calls until then. */
export function useDelayed(run: () => void, delayMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      run()
    }, delayMs)
  }, [run, delayMs])
}
