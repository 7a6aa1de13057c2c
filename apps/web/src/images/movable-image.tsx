import { type ComponentProps, useRef } from 'react'
import { useLessMotion } from '#src/appearance/use-appearance.ts'
import './movable-image.css'

type MovableImageProps = ComponentProps<'img'> & {
  alt: string
  /** True if the picture may be animated. */
  moves: boolean
}

/** Maximum width and height of a still frame, in pixels. Pictures are never shown larger. */
const MAX_STILL_SIDE = 1024

/** A picture that may be animated. If the user prefers less motion, it only plays on hover or focus. */
export function MovableImage({ moves, className = '', alt, onLoad, ...props }: MovableImageProps) {
  const isStill = useLessMotion() && moves
  const still = useRef<HTMLCanvasElement>(null)
  const image = (
    <img
      {...props}
      alt={alt}
      className={className}
      draggable={false}
      onLoad={(event) => {
        if (still.current !== null) drawStill(event.currentTarget, still.current)
        onLoad?.(event)
      }}
    />
  )
  if (!isStill) return image
  return (
    <span className="still">
      {image}
      <canvas ref={still} className={`still-frame ${className}`} />
    </span>
  )
}

/** Draws the first frame. */
function drawStill(image: HTMLImageElement, still: HTMLCanvasElement): void {
  const { naturalWidth, naturalHeight } = image
  const scale = Math.min(1, MAX_STILL_SIDE / Math.max(naturalWidth, naturalHeight))
  still.width = Math.max(1, Math.round(naturalWidth * scale))
  still.height = Math.max(1, Math.round(naturalHeight * scale))
  still.getContext('2d')?.drawImage(image, 0, 0, still.width, still.height)
}
