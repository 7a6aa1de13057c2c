import { useEffect } from 'react'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { isInVoice } from './phases.ts'
import { useSignal } from './sounds/use-signal.ts'
import { VoiceAnnouncer } from './sounds/voice-announcer.tsx'
import { usePushToTalk } from './talk-key/use-push-to-talk.ts'
import { useVoice, useVoiceControl } from './use-voice.ts'
import { VideoKeeper } from './video/video-keeper.tsx'

const MEASURE_EVERY_MS = 3000

/** Background work while in a room or call, on every page. */
export function VoiceKeeper() {
  const isIn = useVoice(({ status }) => isInVoice(status))
  return isIn ? <Keeper /> : null
}

function Keeper() {
  const voice = useVoiceControl()
  const isConnected = useVoice(({ status }) => status.phase === 'connected')
  useShortcut('toggle-mute', () => voice.toggleMute())
  useShortcut('toggle-deafen', () => voice.toggleDeafen())
  usePushToTalk()
  const signal = useSignal()

  // Also plays when the connection is lost and restored.
  useEffect(() => {
    if (!isConnected) return
    signal('come')
    return () => signal('go')
  }, [isConnected, signal])

  useEffect(() => {
    void voice.measure()
    if (!isConnected) return
    const timer = setInterval(() => void voice.measure(), MEASURE_EVERY_MS)
    return () => clearInterval(timer)
  }, [voice, isConnected])

  useEffect(() => {
    const reconnect = () => voice.reconnect()
    window.addEventListener('online', reconnect)
    return () => window.removeEventListener('online', reconnect)
  }, [voice])

  useEffect(() => {
    const wake = () => voice.wake()
    for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, wake)
    return () => {
      for (const name of ['pointerdown', 'keydown']) window.removeEventListener(name, wake)
    }
  }, [voice])

  return (
    <>
      <VoiceAnnouncer />
      <VideoKeeper />
    </>
  )
}
