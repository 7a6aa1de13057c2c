import { useState } from 'react'
import EasyCrop from 'react-easy-crop'
import { t } from '#src/language/texts.ts'
import 'react-easy-crop/react-easy-crop.css'
import type { Area, Cut } from './crop.ts'

interface CropperProps {
  url: string
  cut: Cut
  /** Called with the cropped area, in pixels of the picture. */
  onArea: (area: Area) => void
  onBroken: () => void
}

const MAX_ZOOM = 5
const ZOOM_STEP = 0.05

/** Lets users move a picture behind a frame by dragging and arrow keys, and zoom it by wheel, pinch and slider. */
export function Cropper({ url, cut, onArea, onBroken }: CropperProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  return (
    <>
      <div className="crop-stage">
        <EasyCrop
          image={url}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={cut.width / cut.height}
          showGrid={false}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_percentages, pixels) => onArea(pixels)}
          mediaProps={{ alt: '', onError: onBroken }}
          cropperProps={{
            role: 'group',
            'aria-label': t('Crop area: use the arrow keys to move the picture'),
          }}
          classes={{ cropAreaClassName: `crop-area crop-area-${cut.look}` }}
          // The content security policy forbids injected styles, so the library's stylesheet is imported above.
          disableAutomaticStylesInjection
        />
      </div>
      <label className="crop-zoom">
        {t('Zoom')}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={ZOOM_STEP}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)} %`}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
    </>
  )
}
