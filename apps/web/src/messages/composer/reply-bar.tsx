import { Reply, X } from 'lucide-react'
import { useChannel } from '#src/channels/channel-context.ts'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import type { DraftReply } from '#src/store/draft.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import './reply-bar.css'

interface ReplyBarProps {
  reply: DraftReply
  onChange: (reply: DraftReply | null) => void
}

/** The message being replied to, above the text, and the switch to notify its author. */
export function ReplyBar({ reply, onChange }: ReplyBarProps) {
  const { jumpTo } = useChannel()
  const isOwn = useAppState((state) => state.me?.id === reply.author_id)
  return (
    <div className="reply-bar">
      <button type="button" className="reply-bar-target" onClick={() => jumpTo(reply.id)}>
        <Reply aria-hidden="true" />
        <span>
          <RichText
            text={t('Replying to <name>{name}</name>')}
            values={{ name: reply.name }}
            tags={{ name: (inside) => <strong>{inside}</strong> }}
          />
          <span className="reply-bar-words"> {reply.words}</span>
        </span>
      </button>
      {!isOwn && (
        <button
          type="button"
          className="reply-bar-mention"
          aria-pressed={reply.mentions}
          title={
            reply.mentions
              ? t('Notify {name}', { name: reply.name })
              : t('Don’t notify {name}', { name: reply.name })
          }
          onClick={() => onChange({ ...reply, mentions: !reply.mentions })}
        >
          {reply.mentions ? t('@ On') : t('@ Off')}
        </button>
      )}
      <IconButton label={t('Cancel reply')} icon={<X />} onClick={() => onChange(null)} />
    </div>
  )
}
