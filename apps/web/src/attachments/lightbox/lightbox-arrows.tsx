import { ChevronLeft, ChevronRight } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'

interface LightboxArrowsProps {
  index: number
  count: number
  onGo: (direction: 1 | -1) => void
}

/** Buttons to the previous and next picture. Disabled at the ends but not removed, to keep the focus. */
export function LightboxArrows({ index, count, onGo }: LightboxArrowsProps) {
  return (
    <>
      <IconButton
        label={t('Previous picture')}
        icon={<ChevronLeft />}
        className="lightbox-arrow lightbox-previous"
        aria-disabled={index === 0}
        onClick={() => onGo(-1)}
      />
      <IconButton
        label={t('Next picture')}
        icon={<ChevronRight />}
        className="lightbox-arrow lightbox-next"
        aria-disabled={index === count - 1}
        onClick={() => onGo(1)}
      />
    </>
  )
}
