import { quiet } from './quiet/quiet.ts'
import { within } from './quiet/within.ts'
import type { MicrophoneSettings } from './voice-settings.ts'

/** Why there is no microphone: refused by the user or the browser, none connected, in use elsewhere, or no TLS. */
export type MicrophoneTrouble = 'denied' | 'missing' | 'busy' | 'insecure'

export type MicrophoneState = 'closed' | 'opening' | 'open' | MicrophoneTrouble

/**
 * Returns the microphone's only track, filtered if the user has turned on the strong noise suppression.
 * @throws an error that `troubleOf` explains
 */
export async function openMicrophone(settings: MicrophoneSettings): Promise<MediaStreamTrack> {
  if (!quiet.getState().isOn) return capture(settings)
  const loaded = await within(import('./quiet/filtered-microphone.ts')).catch(() => undefined)
  if (loaded !== undefined) return loaded.openFiltered(settings, capture)
  quiet.setState({ trouble: 'failed' })
  return capture(settings)
}

async function capture(settings: MicrophoneSettings): Promise<MediaStreamTrack> {
  // Undefined on pages served without TLS.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new DOMException('no secure context', 'SecurityError')
  const stream = await ask(devices, settings)
  const [track] = stream.getAudioTracks()
  if (track === undefined) throw new DOMException('no audio', 'NotFoundError')
  return track
}

/** Opens the microphone. If it is in use, Chromium changes its processing only for `exact` constraints, which may be refused. */
async function ask(devices: MediaDevices, settings: MicrophoneSettings): Promise<MediaStream> {
  try {
    return await devices.getUserMedia({ audio: constraintsFor(settings, 'exact') })
  } catch (error) {
    if (!isOverconstrained(error)) throw error
    return devices.getUserMedia({ audio: constraintsFor(settings, 'ideal') })
  }
}

function isOverconstrained(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'name' in error && error.name === 'OverconstrainedError'
  )
}

/** Returns the microphone's only track, or the reason why there is none. */
export async function tryMicrophone(
  settings: MicrophoneSettings,
): Promise<MediaStreamTrack | MicrophoneTrouble> {
  return openMicrophone(settings).catch(troubleOf)
}

export function troubleOf(error: unknown): MicrophoneTrouble {
  const name = error instanceof DOMException ? error.name : ''
  const troubles: Readonly<Record<string, MicrophoneTrouble>> = {
    NotAllowedError: 'denied',
    SecurityError: 'insecure',
    NotFoundError: 'missing',
    OverconstrainedError: 'missing',
  }
  return troubles[name] ?? 'busy'
}

/** A missing device falls back to the system default. */
function constraintsFor(
  { input, echoCancellation, noiseSuppression }: MicrophoneSettings,
  need: 'exact' | 'ideal',
): MediaTrackConstraints {
  return {
    ...(input === '' ? {} : { deviceId: { ideal: input } }),
    echoCancellation: { [need]: echoCancellation },
    noiseSuppression: { [need]: noiseSuppression },
    autoGainControl: true,
    channelCount: 1,
  }
}
