import { useChannel } from '#src/channels/channel-context.ts'
import { useSlowMode } from '#src/channels/use-slow-mode.ts'
import { useAppState } from '#src/session/context.ts'
import { SlowedWords, SlowModeWords } from '../composer/slowed-words.tsx'
import '../composer/typing-line.css'

/**
 * Shows below a thread how long the user has to wait for a rate limit or slow mode. The line is always there, so that the
 * layout does not jump.
 */
export function SlowedLine() {
  const channel = useChannel()
  const { id } = channel
  const slowMode = useSlowMode(channel)
  const isSlow = slowMode.seconds > 0
  const until = useAppState((state) => state.pauses[id])
  return (
    <p className="typing-line" role="status">
      {until !== undefined && <SlowedWords key={until} channelId={id} until={until} isSlowMode={isSlow} />}
      {until === undefined && isSlow && <SlowModeWords key={slowMode.until} slowMode={slowMode} />}
    </p>
  )
}
