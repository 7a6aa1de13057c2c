import { lazyPopup } from '#src/ui/lazy-popup.tsx'
import { useVoice } from '#src/voice/use-voice.ts'

const Panel = lazyPopup(() => import('#src/voice/voice-panel.tsx').then((module) => module.VoicePanel))
const Bar = lazyPopup(() => import('#src/voice/voice-bar.tsx').then((module) => module.VoiceBar))

/** Where one is in voice, below the rooms. Who is nowhere needs nothing of it. */
export function VoicePanel() {
  return useIsAnywhere() && <Panel />
}

/** The same above the page, where the rooms are in a drawer. */
export function VoiceBar() {
  return useIsAnywhere() && <Bar />
}

function useIsAnywhere(): boolean {
  return useVoice(({ status }) => status.phase !== 'idle')
}
