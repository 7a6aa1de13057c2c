import { Mic, MicOff, PhoneOff, Video, VideoOff } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import '#src/ui/buttons/icon-button.css'
import { isSilent } from '../../control/is-silent.ts'
import { useVoiceNames } from '../../people/use-voice-names.ts'
import { VoiceFace } from '../../people/voice-face.tsx'
import { voiceChannelId } from '../../phases.ts'
import { useVoice, useVoiceControl } from '../../use-voice.ts'
import { Picture } from '../picture.tsx'
import { useVideo, useVideoControl } from '../use-video.ts'
import { useVideoAccess } from '../video-access.ts'
import { dressPage } from './dress-page.ts'
import './picture-window-content.css'
import { type StagePicture, sentPictureOf } from './stage.ts'
import { usePictureWindow } from './use-picture-window.ts'
import { useStage } from './use-stage.ts'
import { useStageTrack } from './use-stage-track.ts'

/** Height to request for a video in a plain picture-in-picture window, which does not reveal its size. */
const ALONE_HEIGHT = 360

/** The call in the picture-in-picture window: the large picture, and the most important buttons. */
export function PictureWindowContent() {
  const opened = usePictureWindow()
  const { page, element } = useStore(opened.api)
  const id = useVoice(({ status }) => voiceChannelId(status)) ?? ''
  const voices = useAppState((state) => voicesIn(state, id))
  const nameOf = useVoiceNames(voices[0]?.space_id ?? null, voices)
  const myId = useAppState((state) => state.me?.id)
  const large = useStage(voices)
  const stage = page === null ? sentPictureOf(large, voices, myId) : large
  const track = useStageTrack(stage)
  useEffect(() => () => opened.close(), [opened])
  // Copies the styles here, because those of this component have loaded by now.
  useLayoutEffect(() => page?.document && dressPage(page.document), [page])
  // The user's own picture is not requested from the server.
  usePlaceOf(stage?.userId === myId ? null : stage, page)

  useEffect(() => {
    if (element === null || track === null) return
    element.srcObject = new MediaStream([track])
    // Refused only when the element is gone.
    element.play().catch(() => undefined)
  }, [element, track])

  // A window that can only show a video closes once nobody sends a picture.
  const isOver = element !== null && stage === null
  useEffect(() => {
    if (isOver) opened.close()
  }, [isOver, opened])

  if (page === null || stage === null) return null
  const name = nameOf(stage.userId)
  return createPortal(
    <main className="picture-window" aria-label={t('In the call')}>
      <div className="picture-window-stage">
        <VoiceFace userId={stage.userId} name={name} size="lg" />
        {track !== null && <Picture track={track} />}
        <p className="picture-window-name" dir="auto">
          {name}
        </p>
      </div>
      <Buttons />
    </main>,
    page.document.body,
  )
}

/** Requests the picture at the height of the document window, or at ALONE_HEIGHT for a plain window. */
function usePlaceOf(stage: StagePicture | null, page: Window | null): void {
  const video = useVideoControl()
  const { source, userId } = stage ?? {}
  useEffect(() => {
    if (source === undefined || userId === undefined) return
    const [picture, place] = [{ user_id: userId, source }, {}]
    const report = () =>
      video.show(picture, place, page === null ? ALONE_HEIGHT : page.innerHeight * page.devicePixelRatio)
    report()
    page?.addEventListener('resize', report)
    return () => {
      page?.removeEventListener('resize', report)
      video.show(picture, place, null)
    }
  }, [video, source, userId, page])
}

function Buttons() {
  const voice = useVoiceControl()
  const video = useVideoControl()
  const isMuted = useVoice(isSilent)
  const hasCamera = useVideo(({ camera }) => camera.phase === 'on')
  const mayUseVideo = useVideoAccess('UseVideo') === 'given'
  return (
    <div className="picture-window-buttons">
      <PlainButton
        label={isMuted ? t('Unmute') : t('Mute')}
        icon={isMuted ? <MicOff /> : <Mic />}
        onClick={() => voice.toggleMute()}
      />
      {mayUseVideo && (
        <PlainButton
          label={hasCamera ? t('Turn camera off') : t('Turn camera on')}
          icon={hasCamera ? <Video /> : <VideoOff />}
          onClick={() => void video.toggleCamera()}
        />
      )}
      <PlainButton label={t('Hang up')} icon={<PhoneOff />} isDanger onClick={() => voice.leave()} />
    </div>
  )
}

interface PlainButtonProps {
  label: string
  icon: ReactNode
  isDanger?: boolean
  onClick: () => void
}

/** A button with the browser's own tooltip: the tooltips of the client would appear in the main page. */
function PlainButton({ label, icon, isDanger = false, onClick }: PlainButtonProps) {
  return (
    <button
      type="button"
      className={isDanger ? 'icon-button voice-leave' : 'icon-button'}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {icon}
    </button>
  )
}
