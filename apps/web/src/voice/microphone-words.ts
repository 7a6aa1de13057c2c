import { t } from '#src/language/texts.ts'
import type { MicrophoneTrouble } from './microphone.ts'

/** Explains why there is no microphone and how to fix it. Listening works without one. */
export const microphoneWords: Readonly<Record<MicrophoneTrouble, string>> = {
  denied: t(
    'You are listening only: this browser may not use the microphone. Allow it in the settings of this page, beside its address, and try again.',
  ),
  missing: t('You are listening only: no microphone was found. Plug one in and try again.'),
  busy: t('You are listening only: the microphone could not be opened. Another program may be using it.'),
  insecure: t(
    'You are listening only: browsers give no page a microphone that is not served with HTTPS. Whoever runs this server can turn it on.',
  ),
}

export function isTrouble(state: string): state is MicrophoneTrouble {
  return Object.hasOwn(microphoneWords, state)
}
