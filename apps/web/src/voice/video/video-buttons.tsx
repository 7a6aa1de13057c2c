import { MonitorUp, MonitorX, Video, VideoOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { canShareScreen } from './capture.ts'
import type { OwnPictureView } from './own-picture.ts'
import { useVideo, useVideoControl } from './use-video.ts'
import { useVideoAccess } from './video-access.ts'
import './video-buttons.css'

/** Button that turns the user's camera on and off. */
export function CameraButton() {
  const video = useVideoControl()
  const phase = useVideo(({ camera }) => camera.phase)
  const access = useVideoAccess('UseVideo')
  if (access === 'none') return null
  return (
    <PictureButton
      label={access === 'given' ? t('Camera') : t('Camera – not allowed here')}
      icon={phase === 'on' ? <Video /> : <VideoOff />}
      keys="Alt+Shift+V"
      phase={phase}
      isAllowed={access === 'given'}
      onClick={() => void video.toggleCamera()}
    />
  )
}

/** Button that shares a screen or ends the sharing. Missing on phones, which cannot share a screen. */
export function ScreenButton() {
  const video = useVideoControl()
  const phase = useVideo(({ screen }) => screen.phase)
  const access = useVideoAccess('ShareScreen')
  if (access === 'none' || !canShareScreen()) return null
  return (
    <PictureButton
      label={access === 'given' ? t('Share screen') : t('Share screen – not allowed here')}
      icon={phase === 'on' ? <MonitorX /> : <MonitorUp />}
      keys="Alt+Shift+S"
      phase={phase}
      isAllowed={access === 'given'}
      onClick={() => video.toggleScreen()}
    />
  )
}

interface PictureButtonProps {
  label: string
  icon: ReactNode
  keys: string
  phase: OwnPictureView['phase']
  isAllowed: boolean
  onClick: () => void
}

function PictureButton({ label, icon, keys, phase, isAllowed, onClick }: PictureButtonProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      className="voice-button picture-button"
      aria-keyshortcuts={keys}
      aria-pressed={phase !== 'off'}
      // Not `disabled`, which would hide the reason from the pointer and the keyboard.
      aria-disabled={!isAllowed || undefined}
      onClick={isAllowed ? onClick : undefined}
    />
  )
}
