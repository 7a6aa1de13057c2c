import type { ReactNode } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSlowMode } from '#src/channels/use-slow-mode.ts'
import { useAppState } from '#src/session/context.ts'
import { lazyAside } from '#src/ui/loading/lazy-popup.tsx'
import './typing-line.css'

const SlowedWords = lazyAside(() => import('./slowed-words.tsx').then((module) => module.SlowedWords))
const SlowModeWords = lazyAside(() => import('./slowed-words.tsx').then((module) => module.SlowModeWords))

/**
 * Shows how long the user has to wait for a rate limit or slow mode. The line is always there, so that the layout does not
 * jump.
 */
export function WaitLine({ children }: { children?: ReactNode }) {
  return (
    <p className="typing-line" role="status">
      <WaitWords>{children}</WaitWords>
    </p>
  )
}

/** @param children shown while there is no need to wait, before the note that slow mode is on */
function WaitWords({ children }: { children?: ReactNode }) {
  const channel = useChannel()
  const { id } = channel
  const slowMode = useSlowMode(channel)
  const isSlow = slowMode.seconds > 0
  const pausedUntil = useAppState((state) => state.pauses[id])
  if (pausedUntil !== undefined)
    return <SlowedWords key={pausedUntil} channelId={id} until={pausedUntil} isSlowMode={isSlow} />
  if (slowMode.until === null && children) return children
  return isSlow ? <SlowModeWords key={slowMode.until} slowMode={slowMode} /> : null
}
