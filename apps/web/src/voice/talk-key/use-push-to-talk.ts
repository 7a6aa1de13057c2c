import { useEffect } from 'react'
import type { TalkKey } from '../control/talk-key.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import { isPressed, writes } from './talk-key-press.ts'

/** Transmits while the push-to-talk key is held. */
export function usePushToTalk(): void {
  const voice = useVoiceControl()
  const key = useVoice(({ settings }) => (settings.mode === 'push_to_talk' ? settings.talkKey : null))

  useEffect(() => {
    if (key === null) return
    const press = (event: KeyboardEvent) => {
      if (!isPressed(key, event) || isWriting(event, key)) return
      // The space bar would also press the focused button.
      event.preventDefault()
      voice.setTalking(true)
    }
    const release = (event: KeyboardEvent) => {
      if (event.code !== key.code || !voice.api.getState().isTalking) return
      event.preventDefault()
      voice.setTalking(false)
    }
    // A key released while another window has the focus sends no event here.
    const stop = () => voice.setTalking(false)
    window.addEventListener('keydown', press, { capture: true })
    window.addEventListener('keyup', release, { capture: true })
    window.addEventListener('blur', stop)
    return () => {
      window.removeEventListener('keydown', press, { capture: true })
      window.removeEventListener('keyup', release, { capture: true })
      window.removeEventListener('blur', stop)
      stop()
    }
  }, [voice, key])
}

function isWriting({ target }: KeyboardEvent, key: TalkKey): boolean {
  if (!writes(key) || !(target instanceof Element)) return false
  return target.closest('input:not([type="range"]), textarea, select, [contenteditable="true"]') !== null
}
