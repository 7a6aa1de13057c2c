import { ChevronLeft, ChevronRight } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'

interface LightboxArrowsProps {
  index: number
  count: number
  /** True if there are videos among the pictures. */
  isMixed: boolean
  onGo: (direction: 1 | -1) => void
}

/** Buttons to the previous and next picture. Disabled at the ends but not removed, to keep the focus. */
export function LightboxArrows({ index, count, isMixed, onGo }: LightboxArrowsProps) {
  return (
    <>
      <IconButton
        label={isMixed ? t('Previous picture or video') : t('Previous picture')}
        icon={<ChevronLeft />}
        className="lightbox-arrow lightbox-previous"
        aria-disabled={index === 0}
        onClick={() => onGo(-1)}
      />
      <IconButton
        label={isMixed ? t('Next picture or video') : t('Next picture')}
        icon={<ChevronRight />}
        className="lightbox-arrow lightbox-next"
        aria-disabled={index === count - 1}
        onClick={() => onGo(1)}
      />
    </>
  )
}
