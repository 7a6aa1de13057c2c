import { useEffect } from 'react'
import { isAnyUnderWay } from './upload-state.ts'
import { useUploads } from './use-uploads.ts'

/** Has the browser ask before the page is left while files are on their way. */
export function useLeaveWarning(): void {
  const isBusy = useUploads(isAnyUnderWay)
  useEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isBusy])
}
