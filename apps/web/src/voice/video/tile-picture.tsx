import { useEffect, useRef } from 'react'
import { useAppState } from '#src/session/context.ts'
import { Picture } from './picture.tsx'
import './tile-picture.css'
import { useVideo, useVideoControl } from './use-video.ts'

/** The camera of a user, above their avatar. It is received only while it is in sight. */
export function TilePicture({ userId }: { userId: string }) {
  const isMe = useAppState((state) => state.me?.id === userId)
  return isMe ? <OwnPicture /> : <ReceivedPicture userId={userId} />
}

function OwnPicture() {
  const track = useVideo(({ camera }) => camera.track)
  if (track === null) return null
  return (
    <span className="tile-picture">
      {/* The camera on the back of a phone shows no mirror image. */}
      <Picture track={track} isMirrored={track.getSettings().facingMode !== 'environment'} />
    </span>
  )
}

function ReceivedPicture({ userId }: { userId: string }) {
  const frame = useRef<HTMLSpanElement>(null)
  const track = useVideo(
    ({ pictures }) =>
      pictures.find((one) => one.user_id === userId && one.source === 'camera')?.track ?? null,
  )
  const video = useVideoControl()

  useEffect(() => {
    const element = frame.current
    if (element === null) return
    let isNear = false
    const report = () => video.look(userId, isNear && document.visibilityState === 'visible')
    const observer = new IntersectionObserver((entries) => {
      isNear = entries.at(-1)?.isIntersecting === true
      report()
    })
    observer.observe(element)
    document.addEventListener('visibilitychange', report)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', report)
      video.look(userId, false)
    }
  }, [userId, video])

  return (
    <span ref={frame} className="tile-picture">
      {track !== null && <Picture track={track} />}
    </span>
  )
}
