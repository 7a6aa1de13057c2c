import './banner.css'
import { Picture } from './picture.tsx'

interface BannerProps {
  /** The id of the picture. Nothing is rendered if it is null. */
  id: string | null
  className?: string
}

/** The banner of a space or user. It is decoration, because the name is next to it. */
export function Banner({ id, className = '' }: BannerProps) {
  if (id === null) return null
  return (
    <div className={`banner ${className}`}>
      <Picture key={id} id={id} />
    </div>
  )
}
