import type { VoiceState } from '@foyer/protocol/voice'
import { t } from '#src/language/texts.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { isInVoice, voiceChannelId } from '../phases.ts'
import { useVoice } from '../use-voice.ts'
import type { StagePicture } from '../video/call-window/stage.ts'
import { useStage } from '../video/call-window/use-stage.ts'
import { useVideo } from '../video/use-video.ts'
import { PersonCard } from './person-card.tsx'
import { useVoiceNames } from './use-voice-names.ts'
import { useSpeaks, VoiceFace } from './voice-face.tsx'
import './voice-grid.css'
import { VoiceMarks } from './voice-marks.tsx'

const TilePicture = lazyPopup(() => import('../video/tile-picture.tsx').then((module) => module.TilePicture))
const TileButtons = lazyPopup(() =>
  import('../video/call-window/tile-buttons.tsx').then((module) => module.TileButtons),
)
const CallTools = lazyPopup(() =>
  import('../video/call-window/call-tools.tsx').then((module) => module.CallTools),
)
const StreamTile = lazyPopup(() => import('../video/stream-tile.tsx').then((module) => module.StreamTile))

interface VoiceGridProps {
  /** Null in a conversation. */
  spaceId: string | null
  voices: readonly VoiceState[]
  /** Accessible name of the list. */
  label: string
}

/** Grid of all users in a voice room or call, with their cameras and screens. It highlights those who speak. */
export function VoiceGrid({ spaceId, voices, label }: VoiceGridProps) {
  const nameOf = useVoiceNames(spaceId, voices)
  const isHere = useIsHere(voices)
  const streams = isHere ? voices.filter((voice) => voice.self_stream) : []
  const hasPictures = isHere && voices.some((voice) => voice.self_video || voice.self_stream)
  const layout = useVideo(({ settings }) => settings.layout)
  const stage = useStage(voices)
  const isLarge = (source: StagePicture['source'], userId: string) =>
    layout === 'speaker' && hasPictures && stage?.source === source && stage.userId === userId
  return (
    <>
      {hasPictures && <CallTools voices={voices} nameOf={nameOf} />}
      <ul
        className="voice-grid"
        data-pictures={hasPictures || undefined}
        data-layout={hasPictures ? layout : undefined}
        aria-label={label}
      >
        {streams.map(({ user_id }) => (
          <li
            key={`stream ${user_id}`}
            className="voice-stream"
            data-stage={isLarge('screen', user_id) || undefined}
          >
            <StreamTile userId={user_id} name={nameOf(user_id)} />
          </li>
        ))}
        {voices.map((voice) => (
          <li key={voice.user_id} data-stage={isLarge('camera', voice.user_id) || undefined}>
            <Tile voice={voice} name={nameOf(voice.user_id)} showsPicture={isHere && voice.self_video} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** True if this browser is in the room or call of these users. Only then does it receive pictures. */
function useIsHere([voice]: readonly VoiceState[]): boolean {
  const channelId = voice?.room_id ?? voice?.conversation_id
  return useVoice(({ status }) => isInVoice(status) && voiceChannelId(status) === channelId)
}

interface TileProps {
  voice: VoiceState
  name: string
  showsPicture: boolean
}

function Tile({ voice, name, showsPicture }: TileProps) {
  const speaks = useSpeaks(voice.user_id)
  return (
    <>
      <PersonCard voice={voice} name={name} className="voice-tile" side="top">
        {showsPicture && <TilePicture userId={voice.user_id} />}
        <VoiceFace userId={voice.user_id} name={name} size="lg" />
        <span className="voice-tile-line">
          <span className="voice-tile-name" dir="auto">
            {name}
          </span>
          {speaks && <span className="visually-hidden">{`, ${t('speaking')}`}</span>}
          <VoiceMarks voice={voice} />
        </span>
      </PersonCard>
      {showsPicture && <TileButtons userId={voice.user_id} name={name} />}
    </>
  )
}
