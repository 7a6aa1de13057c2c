import { Pin, PinOff } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { FullScreenButton } from '../full-screen-button.tsx'
import { useVideo, useVideoControl } from '../use-video.ts'

/** Buttons on a picture: to keep it large, and to show it in full screen. */
export function TileButtons({ userId, name }: { userId: string; name: string }) {
  const video = useVideoControl()
  const isPinned = useVideo(({ pinned, settings }) => pinned === userId && settings.layout === 'speaker')
  return (
    <span className="tile-buttons">
      <IconButton
        label={t('Keep {name} large', { name })}
        icon={isPinned ? <PinOff /> : <Pin />}
        aria-pressed={isPinned}
        onClick={() => video.pin(isPinned ? null : userId)}
      />
      <FullScreenButton name={name} />
    </span>
  )
}
