import { Permission } from '@foyer/protocol/permissions'
import type { Gateway } from '@foyer/sdk/gateway'
import { mayInRoom } from '#src/permissions/rights.ts'
import type { Store } from '#src/store/store.ts'
import { fetchedSoon } from '#src/ui/loading/lazy-popup.tsx'
import { Loudspeaker } from './control/loudspeaker.ts'
import { VoiceControl } from './control/voice-control.ts'
import { LateVoice } from './late-voice.ts'
import { keepLeftVoice, takeLeftVoice } from './left-voice.ts'

const fetchVoice = fetchedSoon(() => import('./open-voice.ts'))

/** Connects voice to the gateway and to this browser's devices. It ends with the page. */
export function startVoice(gateway: Gateway, store: Store): VoiceControl {
  // Only large installations use LiveKit, and it is as large as the rest of this client.
  const loadLiveKit = () => import('livekit-client')
  const voice = new LateVoice(async () => {
    const { openVoice } = await fetchVoice()
    return () => openVoice({ gateway, loadLiveKit }, control)
  })
  const control: VoiceControl = new VoiceControl({
    voice,
    loudspeaker: new Loudspeaker(),
    openMicrophone: async (settings) => (await fetchVoice()).tryMicrophone(settings),
    maySpeak: (place) =>
      'conversation_id' in place || mayInRoom(store.get(), place.room_id, Permission.SpeakInVoice),
    storage: window.localStorage,
    onLeaving: (listener) => {
      const leave = () => {
        keepLeftVoice(window.sessionStorage, control.api.getState().status, Date.now())
        listener()
      }
      window.addEventListener('pagehide', leave)
      return () => window.removeEventListener('pagehide', leave)
    },
  })
  comeBack(gateway, voice, control)
  return control
}

/** After a reload, rejoins the room or call the page was in. */
function comeBack(gateway: Gateway, voice: LateVoice, control: VoiceControl): void {
  const left = takeLeftVoice(window.sessionStorage, Date.now())
  const [navigation] = performance.getEntriesByType('navigation')
  const isReload = navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
  if (left === null || !isReload) return
  const stop = gateway.on('READY', () => {
    stop()
    voice.setSelf(left)
    // Waits until the store has the user's permissions in the room.
    queueMicrotask(() => void control.join(left.target))
  })
}
