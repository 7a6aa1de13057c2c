import type { VoiceState } from '@foyer/protocol/voice'
import { Activity, LayoutGrid, PictureInPicture2, UserSquare } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { useVideo, useVideoControl } from '../use-video.ts'
import './call-tools.css'
import { PictureWindow } from './picture-window.ts'
import { sentPictureOf } from './stage.ts'
import { useIsPictureWindowOpen, usePictureWindow } from './use-picture-window.ts'
import { useStage } from './use-stage.ts'
import { useStageTrack } from './use-stage-track.ts'

const PopupPanel = lazyPopup(() =>
  import('#src/ui/popups/popup-panel.tsx').then((module) => module.PopupPanel),
)
const Numbers = lazyPopup(() => import('./numbers.tsx').then((module) => module.Numbers))

interface CallToolsProps {
  voices: readonly VoiceState[]
  nameOf: (userId: string) => string
}

/** Buttons above the pictures, for their layout, the picture-in-picture window and the connection statistics. */
export function CallTools({ voices, nameOf }: CallToolsProps) {
  return (
    <fieldset className="call-tools" aria-label={t('Video view')}>
      <LayoutButton />
      <WindowButton voices={voices} />
      <NumbersButton nameOf={nameOf} />
    </fieldset>
  )
}

function LayoutButton() {
  const video = useVideoControl()
  const isSpeaker = useVideo(({ settings }) => settings.layout === 'speaker')
  return (
    <IconButton
      label={isSpeaker ? t('Grid view') : t('Speaker view')}
      icon={isSpeaker ? <LayoutGrid /> : <UserSquare />}
      onClick={() => video.changeSettings({ layout: isSpeaker ? 'grid' : 'speaker' })}
    />
  )
}

function WindowButton({ voices }: Pick<CallToolsProps, 'voices'>) {
  const opened = usePictureWindow()
  const isOpen = useIsPictureWindowOpen()
  const myId = useAppState((state) => state.me?.id)
  const sent = useStageTrack(sentPictureOf(useStage(voices), voices, myId))
  // The large picture may not have arrived yet: then another one is shown.
  const track = useVideo(({ pictures, camera }) => sent ?? pictures[0]?.track ?? camera.track)
  if (!PictureWindow.isPossible) return null
  return (
    <IconButton
      label={t('Picture-in-picture')}
      icon={<PictureInPicture2 />}
      aria-pressed={isOpen}
      onClick={() => (isOpen ? opened.close() : void opened.open(track))}
    />
  )
}

function NumbersButton({ nameOf }: Pick<CallToolsProps, 'nameOf'>) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'dialog' })
  const label = t('Connection statistics')
  return (
    <>
      <button type="button" {...trigger} className="icon-button" aria-label={label} title={label}>
        <Activity aria-hidden="true" />
      </button>
      {isWanted && (
        <PopupPanel popup={popup} label={label} className="numbers" side="bottom" align="end">
          <Numbers nameOf={nameOf} />
        </PopupPanel>
      )}
    </>
  )
}
