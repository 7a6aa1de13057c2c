import './banner.css'
import { Picture } from './picture.tsx'

interface BannerProps {
  /** Of the picture; without one there is no banner. */
  id: string | null
  className?: string
}

/** The wide picture of a space or a person. Decoration: the name stands below it. */
export function Banner({ id, className = '' }: BannerProps) {
  if (id === null) return null
  return (
    <div className={`banner ${className}`}>
      <Picture key={id} id={id} />
    </div>
  )
}
