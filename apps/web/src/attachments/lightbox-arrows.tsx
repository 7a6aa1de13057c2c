import { ChevronLeft, ChevronRight } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/icon-button.tsx'

interface LightboxArrowsProps {
  index: number
  count: number
  onGo: (direction: 1 | -1) => void
}

/** At the ends they stay, so that the focus does too. */
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
