import { useEffect, useState } from 'react'
import { useMediaQuery } from '#src/ui/use-media-query.ts'
import { type Appearance, onAppearance, readAppearance } from './appearance.ts'

/** How this browser shows Foyer now. */
export function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance)
  useEffect(() => onAppearance(() => setAppearance(readAppearance())), [])
  return appearance
}

/** Whether nothing should move by itself. */
export function useLessMotion(): boolean {
  const isWished = useMediaQuery('(prefers-reduced-motion: reduce)')
  return useAppearance().motion === 'less' || isWished
}
