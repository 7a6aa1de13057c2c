import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { useVoice } from '#src/voice/use-voice.ts'

const Panel = lazyPopup(() => import('#src/voice/panel/voice-panel.tsx').then((module) => module.VoicePanel))
const Bar = lazyPopup(() => import('#src/voice/panel/voice-bar.tsx').then((module) => module.VoiceBar))

/** The voice controls below the rooms, loaded only while in voice. */
export function VoicePanel() {
  return useIsActive() && <Panel />
}

/** The voice controls above the page, for narrow windows with the rooms in a drawer. */
export function VoiceBar() {
  return useIsActive() && <Bar />
}

function useIsActive(): boolean {
  return useVoice(({ status }) => status.phase !== 'idle')
}
