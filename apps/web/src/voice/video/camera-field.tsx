import { Square, Video } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { deviceOptions } from '../devices/device-options.ts'
import { useDevices } from '../devices/use-devices.ts'
import './camera-field.css'
import { cameraTrouble, openCamera } from './capture.ts'
import { Picture } from './picture.tsx'
import { useVideo, useVideoControl } from './use-video.ts'
import { videoWords } from './video-words.ts'

/** Choice of the camera, with a preview that only the user sees. */
export function CameraField() {
  const video = useVideoControl()
  const { camera } = useVideo((view) => view.settings)
  const { cameras, refresh } = useDevices()
  const { isOn, track, trouble, turn } = usePreview(camera)

  // Browsers reveal the names of cameras once the user has allowed one.
  useEffect(() => {
    if (track !== null) refresh()
  }, [track, refresh])

  return (
    <div className="camera-field">
      <SelectField
        name="camera"
        label={t('Camera')}
        value={camera}
        options={deviceOptions(cameras, camera)}
        onChange={(id) => video.changeSettings({ camera: id })}
      />
      {track !== null && (
        <div className="camera-preview">
          <Picture track={track} isMirrored />
        </div>
      )}
      <div>
        <Button onClick={() => turn(!isOn)}>
          {isOn ? <Square aria-hidden="true" /> : <Video aria-hidden="true" />}{' '}
          {isOn ? t('Stop preview') : t('Test camera')}
        </Button>
      </div>
      {trouble !== null && (
        <p role="alert" className="form-error">
          {trouble}
        </p>
      )}
    </div>
  )
}

/** The previewed camera, opened again when the user chooses another one, and closed with the page. */
function usePreview(camera: string) {
  const [isOn, setIsOn] = useState(false)
  const [track, setTrack] = useState<MediaStreamTrack | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)

  useEffect(() => {
    if (!isOn) return
    let isOver = false
    const opened = openCamera({ camera })
    opened.then(
      (found) => !isOver && setTrack(found),
      (error) => {
        if (isOver) return
        setTrouble(videoWords[cameraTrouble(error)])
        setIsOn(false)
      },
    )
    return () => {
      isOver = true
      setTrack(null)
      opened.then(
        (found) => found.stop(),
        () => undefined,
      )
    }
  }, [isOn, camera])

  const turn = (on: boolean) => {
    setTrouble(null)
    setIsOn(on)
  }
  return { isOn, track, trouble, turn }
}
