import { useRef } from 'react'
import { useAppState } from '#src/session/context.ts'
import { Picture } from './picture.tsx'
import './tile-picture.css'
import { useShownHeight } from './use-shown-height.ts'
import { useVideo } from './use-video.ts'

/** The camera of a user, above their avatar. It is received in the size of the tile, and only while it is in sight. */
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
  useShownHeight(frame, 'camera', userId)

  return (
    <span ref={frame} className="tile-picture">
      {track !== null && <Picture track={track} />}
    </span>
  )
}
