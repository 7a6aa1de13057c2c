import { Permission } from '@foyer/protocol/permissions'
import type { Gateway } from '@foyer/sdk/gateway'
import { mayInRoom } from '#src/permissions/rights.ts'
import type { Store } from '#src/store/store.ts'
import { fetchedSoon } from '#src/ui/lazy-popup.tsx'
import { LateVoice } from './late-voice.ts'
import { Loudspeaker } from './loudspeaker.ts'
import { openMicrophone } from './microphone.ts'
import { VoiceControl } from './voice-control.ts'

const fetchVoice = fetchedSoon(() => import('@foyer/sdk/voice/voice'))

/** Voice on a gateway's connection, with this browser's devices. It ends with the page. */
export function startVoice(gateway: Gateway, store: Store): VoiceControl {
  // Only servers that have grown use LiveKit, and it is as large as the rest of this client.
  const loadLiveKit = () => import('livekit-client')
  const voice = new LateVoice(async () => {
    const { Voice } = await fetchVoice()
    return () => new Voice({ gateway, loadLiveKit })
  })
  return new VoiceControl({
    voice,
    loudspeaker: new Loudspeaker(),
    openMicrophone,
    maySpeak: (place) =>
      'conversation_id' in place || mayInRoom(store.get(), place.room_id, Permission.SpeakInVoice),
    storage: window.localStorage,
    onLeaving: (listener) => {
      window.addEventListener('pagehide', listener)
      return () => window.removeEventListener('pagehide', listener)
    },
  })
}
