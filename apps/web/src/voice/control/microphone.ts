import type { VoiceSettings } from './voice-settings.ts'

/** Why there is no microphone: refused by the user or the browser, none connected, in use elsewhere, or no TLS. */
export type MicrophoneTrouble = 'denied' | 'missing' | 'busy' | 'insecure'

export type MicrophoneState = 'closed' | 'opening' | 'open' | MicrophoneTrouble

export type MicrophoneSettings = Pick<VoiceSettings, 'input' | 'echoCancellation' | 'noiseSuppression'>

/** Returns the microphone's only track. For the reason of a rejection see `troubleOf`. */
export async function openMicrophone(settings: MicrophoneSettings): Promise<MediaStreamTrack> {
  // Undefined on pages served without TLS.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new DOMException('no secure context', 'SecurityError')
  const stream = await devices.getUserMedia({ audio: constraintsFor(settings) })
  const [track] = stream.getAudioTracks()
  if (track === undefined) throw new DOMException('no audio', 'NotFoundError')
  return track
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

/** `ideal` falls back to the system default if the device is missing. */
function constraintsFor({ input, echoCancellation, noiseSuppression }: MicrophoneSettings) {
  const device = input === '' ? {} : { deviceId: { ideal: input } }
  return { ...device, echoCancellation, noiseSuppression, autoGainControl: true, channelCount: 1 }
}
