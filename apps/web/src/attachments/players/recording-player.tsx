import { Pause, Play } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { FileCard } from '../file-card.tsx'
import { FileLine } from '../file-line.tsx'
import './recording-player.css'
import type { ShownFile } from '../shown-file.ts'
import { SeekBar } from './seek-bar.tsx'
import { nextSpeed, rememberSpeed } from './speed.ts'
import { usePlayback } from './use-playback.ts'
import { usePlayer } from './use-player.ts'
import { useWaveform } from './use-waveform.ts'

/** Player of a voice message: a waveform to seek in, and a speed that applies to all voice messages. */
export function RecordingPlayer({ file }: { file: ShownFile }) {
  const player = usePlayer<HTMLAudioElement>(file)
  const waveform = useWaveform(file, player.url)
  const playback = usePlayback(player.media)
  const tabIndex = useRowPart()
  const { isPlaying, speed } = playback
  if (player.isBroken) return <FileCard file={file} note={t('This browser can’t play this file.')} />
  return (
    <figure className="audio" aria-label={file.description ?? file.filename}>
      <FileLine file={file} />
      {/* biome-ignore lint/a11y/useMediaCaption: people's own sounds have none */}
      <audio
        key={player.attempt}
        ref={player.media}
        src={player.src}
        preload="metadata"
        onError={player.onError}
        onLoadedMetadata={() => {
          player.onLoadedMetadata()
          playback.onLoadedMetadata()
        }}
        onDurationChange={playback.onDurationChange}
        onPlay={playback.onPlay}
        onPause={playback.onPause}
      />
      <div className="recording-player">
        <IconButton
          label={isPlaying ? t('Pause') : t('Play')}
          icon={isPlaying ? <Pause /> : <Play />}
          className="recording-toggle"
          tabIndex={tabIndex}
          onClick={playback.toggle}
        />
        <SeekBar
          media={player.media}
          isPlaying={isPlaying}
          length={playback.length || (waveform?.lengthMs ?? 0) / 1000}
          bars={waveform?.bars ?? null}
          tabIndex={tabIndex}
          onToggle={playback.toggle}
        />
        <button
          type="button"
          className="recording-speed"
          tabIndex={tabIndex}
          aria-label={t('Speed: {speed}×', { speed: String(speed) })}
          onClick={() => rememberSpeed(nextSpeed(speed))}
        >
          {speed}×
        </button>
      </div>
    </figure>
  )
}
