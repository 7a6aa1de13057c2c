import { memo } from 'react'
import { OutgoingFiles } from '#src/attachments/message-files.tsx'
import { isLost, isUploadUnderWay } from '#src/attachments/transfer/upload-state.ts'
import { useUploadsOf } from '#src/attachments/uploads/use-uploads.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSpaceEmojis } from '#src/emojis/use-space-emojis.ts'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { focusComposer } from '../composer/composer-focus.ts'
import { Byline } from '../content/byline.tsx'
import { MessageStickers } from '../content/message-stickers.tsx'
import { MessageText } from '../content/message-text.tsx'
import { ReplyLine } from '../content/reply-line.tsx'
import { discardMessage, dismissHeld, retryMessage } from '../sending/send.ts'

const AddFilesAgain = lazyPopup(() =>
  import('../sending/add-files-again.tsx').then((module) => module.AddFilesAgain),
)

interface OutgoingRowProps {
  message: OutgoingMessage
  myId: string
  name: string
  grouped: boolean
}

/** A message of the user that the server has not stored yet. */
export const OutgoingRow = memo(function OutgoingRow({ message, myId, name, grouped }: OutgoingRowProps) {
  const { threadId } = useChannel()
  const answeredId = message.options.reference?.message_id
  const answered = useAppState((state) =>
    state.timelines[channelIdOf(message.channel)]?.messages.find(({ id }) => id === answeredId),
  )
  return (
    <li
      className="message"
      data-row={message.nonce}
      data-grouped={grouped || undefined}
      data-status={message.stopped === 'held' ? 'held' : message.status}
    >
      {answered !== undefined && answered.id !== threadId && (
        <ReplyLine
          referenced={answered}
          mentions={message.options.allowed_mentions?.replied_user !== false && answered.author.id !== myId}
        />
      )}
      <Byline author={{ id: myId, is_bot: false }} name={name} time={message.created_at} grouped={grouped} />
      <div className="message-body">
        {message.content !== '' && <MessageText text={message.content} />}
        <OutgoingFiles uploadIds={message.upload_ids} />
        <MessageStickers stickers={message.stickers} />
        <Progress message={message} />
      </div>
    </li>
  )
})

function Progress({ message }: { message: OutgoingMessage }) {
  if (message.status === 'sending') return <Sending message={message} />
  return message.stopped === 'held' ? <HeldNote message={message} /> : <Failure message={message} />
}

function HeldNote({ message }: { message: OutgoingMessage }) {
  const session = useSession()
  return (
    <div className="message-failure" role="status">
      {t('Moderators review this message before others can see it.')}
      <Button look="text" onClick={() => dismissHeld(session, message)}>
        {t('Dismiss')}
      </Button>
    </div>
  )
}

/** The state of a message being sent. While it waits for an upload or a rate limit, it can be cancelled. */
function Sending({ message }: { message: OutgoingMessage }) {
  const session = useSession()
  const uploads = useUploadsOf(message.upload_ids)
  const isUploading = uploads.some(isUploadUnderWay)
  const isStuck = uploads.some(({ progress }) => isLost(progress))
  const isHeld = useAppState((state) => channelIdOf(message.channel) in state.pauses)
  const cancel = (
    <Button look="text" onClick={() => discardMessage(session, message)}>
      {t('Cancel')}
    </Button>
  )
  if (!isUploading)
    return (
      <>
        <span className="visually-hidden">{t('Sending')}</span>
        {isHeld && <span className="message-held">{cancel}</span>}
      </>
    )
  return (
    <div className="message-sending" role="status">
      {isStuck ? t('Upload interrupted. Retrying automatically…') : t('Sends when the upload finishes')}
      {isStuck && (
        <Button look="text" onClick={() => session.uploads.retry(message.upload_ids)}>
          {t('Retry')}
        </Button>
      )}
      {cancel}
    </div>
  )
}

function Failure({ message }: { message: OutgoingMessage }) {
  const session = useSession()
  const channel = useChannel()
  const emojis = useSpaceEmojis(channel.spaceId)
  const isStopped = message.stopped !== undefined
  const isSwept = useUploadsOf(message.upload_ids).some(({ progress }) => progress.kind === 'swept')

  async function edit(button: Element) {
    const { editUnsent } = await import('../sending/edit-unsent.ts')
    editUnsent(session, { ...channel, emojis }, message)
    if (channel.threadId === undefined) focusComposer(button)
  }

  return (
    <div className="message-failure" role="status">
      {message.status === 'waiting'
        ? t('Not sent yet. We’ll send it when you’re back online.')
        : t('Not sent. {error}', { error: message.error ?? '' })}
      {isSwept && <AddFilesAgain message={message} />}
      {isSwept || isStopped ? (
        // If loading this chunk fails, the user can press the button again.
        <Button look="text" onClick={({ currentTarget }) => void edit(currentTarget).catch(() => undefined)}>
          {t('Edit')}
        </Button>
      ) : (
        <Button look="text" onClick={() => retryMessage(session, message)}>
          {t('Retry')}
        </Button>
      )}
      <Button look="text" onClick={() => discardMessage(session, message)}>
        {t('Delete')}
      </Button>
    </div>
  )
}
