import { CircleCheck, Pin } from 'lucide-react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useChannelDialog } from '#src/channels/use-channel-dialog.tsx'
import { t } from '#src/language/texts.ts'
import { excerpt } from '#src/mentions/readable.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TagChips } from '../tags/tag-chip.tsx'
import { EditTags } from './edit-tags.tsx'
import './post-bar.css'
import { PinPost } from './pin-post.tsx'
import { useAnswerMessage } from './use-answer-message.ts'

interface PostBarProps {
  entry: ThreadEntry
  channel: OpenChannel
}

/** The tags of a post and its answer, above its messages. Renders nothing for other threads. */
export function PostBar({ entry, channel }: PostBarProps) {
  const forum = useAppState((state) => state.rooms[entry.parent_id]?.forum)
  const isCreator = useAppState(({ me }) => me?.id === entry.thread.creator_id)
  const openDialog = useChannelDialog(channel)
  const { tags, is_pinned = false, solved_message_id = null } = entry.thread
  if (forum === undefined || tags === undefined) return null
  const isManager = channel.may('ManageThreads')
  const edit = () =>
    openDialog((close) => <EditTags entry={entry} forum={forum} isManager={isManager} onClose={close} />)
  return (
    <section className="post-bar" aria-label={t('About this post')}>
      {is_pinned && (
        <span className="post-bar-mark">
          <Pin aria-hidden="true" /> {t('Pinned')}
        </span>
      )}
      <TagChips tags={forum.tags} ids={tags} />
      {(isManager || isCreator) && forum.tags.length > 0 && <Button onClick={edit}>{t('Edit tags')}</Button>}
      {isManager && <PinPost key={entry.id} entry={entry} />}
      {solved_message_id !== null && (
        <Answer key={solved_message_id} channel={channel} messageId={solved_message_id} />
      )}
    </section>
  )
}

/** The answer of the post, with a jump to it. */
function Answer({ channel, messageId }: { channel: OpenChannel; messageId: string }) {
  const session = useSession()
  const message = useAnswerMessage(channel, messageId)
  const text =
    message === null
      ? ''
      : excerpt(session.store.get(), { ...channel, people: message.mentions }, message.content)
  return (
    <div className="post-answer">
      <CircleCheck aria-hidden="true" />
      <strong>{t('Answer')}</strong>
      <span dir="auto">
        {message !== null && <bdi>{channel.nameOf(message.author)}: </bdi>}
        {text}
      </span>
      <Button onClick={() => channel.jumpTo(messageId)}>{t('Go to answer')}</Button>
    </div>
  )
}
