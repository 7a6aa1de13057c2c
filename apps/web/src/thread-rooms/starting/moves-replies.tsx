import { MAX_REPLY_COUNT } from '@foyer/protocol/limits'
import type { ThreadReplies } from '@foyer/protocol/messages'
import { counted, t } from '#src/language/texts.ts'
import './moves-replies.css'

/** Checkbox that moves the replies to a message into the thread that starts from it. */
export function MovesReplies({ replies: { count } }: { replies: ThreadReplies }) {
  return (
    <label className="moves-replies">
      <input type="checkbox" name="moves_replies" />
      <span>
        {count < MAX_REPLY_COUNT
          ? counted(
              count,
              'Move its {count} reply into the thread',
              'Move its {count} replies into the thread',
            )
          : t('Move all its replies into the thread')}
      </span>
    </label>
  )
}
