import { useChannel } from '#src/channels/channel-context.ts'
import { useAppState } from '#src/session/context.ts'
import { SlowedWords } from '#src/shell/status-notes.tsx'
import '#src/messages/typing-line.css'

/** Says below a thread until when its messages are slowed down. The line is always there, so that nothing jumps. */
export function SlowedLine() {
  const { id } = useChannel()
  const until = useAppState((state) => state.pauses[id])
  return (
    <p className="typing-line" role="status">
      {until !== undefined && <SlowedWords key={until} channelId={id} until={until} />}
    </p>
  )
}
