import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { SlowedWords } from '../composer/slowed-words.tsx'
import '../composer/typing-line.css'

/** Shows below a thread until when slow mode lasts. The line is always there, so that the layout does not jump. */
export function SlowedLine() {
  const { id } = useChannel()
  const until = useAppState((state) => state.pauses[id])
  return (
    <p className="typing-line" role="status">
      {until !== undefined && <SlowedWords key={until} channelId={id} until={until} />}
    </p>
  )
}
