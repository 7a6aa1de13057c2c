import type { VideoSettings } from './video-settings.ts'

/** Reason why a camera or screen did not start, or why it ended although the user did not end it. */
export type VideoTrouble =
  | 'insecure'
  | 'camera_denied'
  | 'camera_missing'
  | 'camera_busy'
  | 'camera_lost'
  | 'camera_limit'
  | 'camera_forbidden'
  | 'camera_failed'
  | 'screen_denied'
  | 'screen_busy'
  | 'screen_failed'
  | 'screen_limit'
  | 'screen_forbidden'

export interface CapturedScreen {
  readonly video: MediaStreamTrack
  /** Null if the user or the browser shares no sound. */
  readonly audio: MediaStreamTrack | null
}

/** True if this browser can share a screen: phones cannot. */
export function canShareScreen(): boolean {
  const devices: MediaDevices | undefined = navigator.mediaDevices
  return devices !== undefined && 'getDisplayMedia' in devices
}

/** Opens the camera. @throws an error that `cameraTrouble` explains */
export async function openCamera({ camera }: Pick<VideoSettings, 'camera'>): Promise<MediaStreamTrack> {
  // `ideal` falls back to another camera if the chosen one is gone.
  const device = camera === '' ? { facingMode: 'user' } : { deviceId: { ideal: camera } }
  const size = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } }
  const stream = await mediaDevices().getUserMedia({ video: { ...device, ...size } })
  const [track] = stream.getVideoTracks()
  if (track === undefined) throw new DOMException('no video', 'NotFoundError')
  track.contentHint = 'motion'
  return track
}

interface DisplayOptions extends DisplayMediaStreamOptions {
  readonly selfBrowserSurface: 'exclude'
  readonly surfaceSwitching: 'include'
  readonly systemAudio: 'include' | 'exclude'
}

/** Constraints that exclude the sound of this page: otherwise users would hear their own voices back. */
const soundOptions: MediaTrackConstraints & { restrictOwnAudio: boolean } = {
  restrictOwnAudio: true,
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
}

/** Returns whether the browser can exclude the sound of this page. If not, only the sound of other tabs can be shared. */
function leavesOutOwnSound(): boolean {
  return 'restrictOwnAudio' in mediaDevices().getSupportedConstraints()
}

/** Lets the user choose a screen, window or tab. Call this during a click. @throws an error that `screenTrouble` explains */
export async function openScreen({ mode, sharesSound }: VideoSettings): Promise<CapturedScreen> {
  const options: DisplayOptions = {
    video: { frameRate: { ideal: mode === 'motion' ? 30 : 10, max: 30 } },
    audio: sharesSound && soundOptions,
    selfBrowserSurface: 'exclude',
    surfaceSwitching: 'include',
    systemAudio: sharesSound && leavesOutOwnSound() ? 'include' : 'exclude',
  }
  const stream = await mediaDevices().getDisplayMedia(options)
  const [video] = stream.getVideoTracks()
  const [audio = null] = stream.getAudioTracks()
  if (video === undefined) throw new DOMException('no video', 'NotFoundError')
  video.contentHint = mode === 'motion' ? 'motion' : 'detail'
  if (audio !== null) audio.contentHint = 'music'
  return { video, audio }
}

export function cameraTrouble(error: unknown): VideoTrouble {
  const troubles: Readonly<Record<string, VideoTrouble>> = {
    NotAllowedError: 'camera_denied',
    SecurityError: 'insecure',
    NotFoundError: 'camera_missing',
    OverconstrainedError: 'camera_missing',
  }
  return troubles[nameOf(error)] ?? 'camera_busy'
}

/** Returns why sharing failed; null if the user cancelled the browser's dialog, which needs no explanation. */
export function screenTrouble(error: unknown): VideoTrouble | null {
  if (nameOf(error) === 'SecurityError') return 'insecure'
  if (nameOf(error) !== 'NotAllowedError') return nameOf(error) === 'AbortError' ? null : 'screen_busy'
  // If the operating system refused, the error message contains the word "system".
  return error instanceof DOMException && /system/i.test(error.message) ? 'screen_denied' : null
}

const FORBIDDEN = ['missing_permission', 'timed_out', 'space_frozen', 'second_factor_needed']

/** @param code error code of the server */
export function refusalTrouble(source: 'camera' | 'screen', code: string): VideoTrouble {
  if (code === 'camera_limit' || code === 'screen_limit') return code
  if (FORBIDDEN.includes(code)) return `${source}_forbidden`
  return `${source}_failed`
}

function nameOf(error: unknown): string {
  return error instanceof DOMException ? error.name : ''
}

function mediaDevices(): MediaDevices {
  // Undefined on pages served without TLS.
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new DOMException('no secure context', 'SecurityError')
  return devices
}
