import { useCallback, useEffect, useRef } from 'react'

/** Returns a function that checks if the component is still mounted, for work that may outlast the component. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
