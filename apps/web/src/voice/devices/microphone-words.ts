import { t } from '#src/language/texts.ts'
import type { MicrophoneTrouble } from '../control/microphone.ts'

/** Explains why there is no microphone and how to fix it. Listening works without one. */
export const microphoneWords: Readonly<Record<MicrophoneTrouble, string>> = {
  denied: t(
    'You can only listen: your browser blocks the microphone. Allow it in the site settings next to the address, then try again.',
  ),
  missing: t('You can only listen: no microphone found. Plug one in and try again.'),
  busy: t('You can only listen: the microphone couldn’t be opened. Another app may be using it.'),
  insecure: t(
    'You can only listen: browsers block the microphone without HTTPS. Ask the administrator to enable HTTPS.',
  ),
}

export function isTrouble(state: string): state is MicrophoneTrouble {
  return Object.hasOwn(microphoneWords, state)
}
