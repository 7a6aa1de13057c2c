import { t } from '#src/language/texts.ts'
import type { VideoTrouble } from './capture.ts'

/** Explains why there is no camera or screen, and what to do. */
export const videoWords: Readonly<Record<VideoTrouble, string>> = {
  insecure: t('Browsers block cameras and screens without HTTPS. Ask the administrator to enable HTTPS.'),
  camera_denied: t(
    'Your browser blocks the camera. Allow it in the site settings next to the address, then try again.',
  ),
  camera_missing: t('No camera found. Plug one in and try again.'),
  camera_busy: t('The camera couldn’t be opened. Another app may be using it.'),
  camera_lost: t('Your camera was disconnected. Check it, then turn it on again.'),
  camera_limit: t('This room has reached its limit of cameras. Try again when someone turns theirs off.'),
  camera_forbidden: t('Your camera was turned off: you don’t have permission to use it here.'),
  camera_failed: t('The server couldn’t show your camera. Try again.'),
  screen_denied: t(
    'Your system blocks screen recording for this browser. Allow it in the system’s privacy settings, then try again.',
  ),
  screen_busy: t('The screen couldn’t be captured. Try another screen or window.'),
  screen_failed: t('The server couldn’t share your screen. Try again.'),
  screen_limit: t('This room has reached its limit of shared screens. Try again when someone stops sharing.'),
  screen_forbidden: t('Your screen is no longer shared: you don’t have permission to share it here.'),
}
