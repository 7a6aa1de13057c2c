import { useEffect, useState } from 'react'
import { useMediaQuery } from '#src/ui/use-media-query.ts'
import { type Appearance, onAppearance, readAppearance } from './appearance.ts'

/** Returns the current appearance settings of this browser. */
export function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance)
  useEffect(() => onAppearance(() => setAppearance(readAppearance())), [])
  return appearance
}

/** Returns true if animations and autoplay should be off. */
export function useLessMotion(): boolean {
  const prefersLess = useMediaQuery('(prefers-reduced-motion: reduce)')
  return useAppearance().motion === 'less' || prefersLess
}
