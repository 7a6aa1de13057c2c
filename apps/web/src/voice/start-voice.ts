import { Permission } from '@foyer/protocol/permissions'
import type { Gateway } from '@foyer/sdk/gateway'
import { Voice } from '@foyer/sdk/voice/voice'
import { mayInRoom } from '#src/permissions/rights.ts'
import type { Store } from '#src/store/store.ts'
import { Loudspeaker } from './loudspeaker.ts'
import { openMicrophone } from './microphone.ts'
import { VoiceControl } from './voice-control.ts'

/** Voice on a gateway's connection, with this browser's devices. It ends with the page. */
export function startVoice(gateway: Gateway, store: Store): VoiceControl {
  // Only servers that have grown use LiveKit, and it is as large as the rest of this client.
  const voice = new Voice({ gateway, loadLiveKit: () => import('livekit-client') })
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
