import { MonitorPlay, MonitorUp, MonitorX } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { VolumeField } from '../devices/volume-field.tsx'
import { FullScreenButton } from './full-screen-button.tsx'
import { Picture } from './picture.tsx'
import './stream-tile.css'
import { streamVolumeKey } from './stream-volume.ts'
import { useShownHeight } from './use-shown-height.ts'
import { useVideo, useVideoControl } from './use-video.ts'
import { useMayShareSound } from './video-access.ts'

interface StreamTileProps {
  userId: string
  /** Name of the user. */
  name: string
}

/** The shared screen of a user. It is received only after a click. */
export function StreamTile({ userId, name }: StreamTileProps) {
  const isMe = useAppState((state) => state.me?.id === userId)
  const isWatched = useVideo(({ streams }) => streams.includes(userId))
  if (isMe) return <OwnStream />
  return isWatched ? <WatchedStream userId={userId} name={name} /> : <Offer userId={userId} name={name} />
}

function OwnStream() {
  const video = useVideoControl()
  const sharesSound = useVideo((view) => view.sharesSound)
  const mayShareSound = useMayShareSound()
  return (
    <div className="stream-tile">
      <MonitorUp aria-hidden="true" />
      <p>{t('You’re sharing your screen.')}</p>
      {sharesSound && !mayShareSound && (
        <p role="status">
          {t('Your screen is shared without sound: you don’t have permission to speak here.')}
        </p>
      )}
      <Button onClick={() => video.toggleScreen()}>
        <MonitorX aria-hidden="true" /> {t('Stop sharing')}
      </Button>
    </div>
  )
}

function Offer({ userId, name }: StreamTileProps) {
  const video = useVideoControl()
  const button = useFocusIfLost()
  return (
    <div className="stream-tile">
      <MonitorPlay aria-hidden="true" />
      <p dir="auto">{t('{name} is sharing their screen.', { name })}</p>
      <Button ref={button} look="primary" onClick={() => video.watchStream(userId)}>
        {t('Watch stream')}
      </Button>
    </div>
  )
}

function WatchedStream({ userId, name }: StreamTileProps) {
  const video = useVideoControl()
  const button = useFocusIfLost()
  const track = useVideo(
    ({ pictures }) =>
      pictures.find((one) => one.user_id === userId && one.source === 'screen')?.track ?? null,
  )
  const hasSound = useVideo(({ sounds }) => sounds.some((sound) => sound.user_id === userId))
  const frame = useRef<HTMLDivElement>(null)
  useShownHeight(frame, 'screen', userId)
  const label = t('{name}’s screen', { name })
  return (
    <div className="watched-stream">
      <div className="watched-stream-picture" ref={frame}>
        {track === null ? <p role="status">{t('Loading the stream…')}</p> : <Picture track={track} />}
      </div>
      <div className="watched-stream-bar">
        <span className="watched-stream-name" dir="auto">
          {label}
        </span>
        {hasSound && <VolumeField userId={streamVolumeKey(userId)} name={label} />}
        <FullScreenButton name={label} />
        <Button ref={button} onClick={() => video.stopWatching(userId)}>
          {t('Stop watching')}
        </Button>
      </div>
    </div>
  )
}

/** Focuses the button that replaces a clicked button. */
function useFocusIfLost(): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null)
  const wasLost = useRef(document.activeElement === document.body)
  useEffect(() => {
    const isLost = document.activeElement === document.body && !wasLost.current
    if (isLost) button.current?.focus({ preventScroll: true })
  }, [])
  return button
}
