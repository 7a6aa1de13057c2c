import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import { MAX_VOLUME, volumeOf } from '../control/volumes.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'

/** A user's volume in this browser, kept across rooms and calls. */
export function VolumeField({ userId, name }: { userId: string; name: string }) {
  const id = useId()
  const voice = useVoiceControl()
  const volume = useVoice(({ volumes }) => volumeOf(volumes, userId))
  return (
    <div className="volume-field">
      <label htmlFor={id}>{t('Volume')}</label>
      <output htmlFor={id}>{volume} %</output>
      <input
        id={id}
        type="range"
        min={0}
        max={MAX_VOLUME}
        step={5}
        value={volume}
        aria-label={t('{name}’s volume', { name })}
        aria-valuetext={`${volume} %`}
        onChange={(event) => voice.setVolume(userId, Number(event.target.value))}
      />
    </div>
  )
}
