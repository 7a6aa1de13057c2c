import { limits, MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import type { ThreadReplies } from '@foyer/protocol/messages'
import { ApiError } from '@foyer/sdk/rest'
import { useState } from 'react'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm, type Values } from '#src/ui/fields/submit-form.tsx'
import { MovesReplies } from './moves-replies.tsx'
import { type StartedFrom, useStartThread } from './use-start-thread.ts'

interface ThreadFormProps extends StartedFrom {
  /** Initial title. */
  title?: string
  /** Replies to the message, if the user may move them. */
  replies?: ThreadReplies | null
  /** Called once the thread exists, before its page opens. */
  onDone: () => void
  onCancel: () => void
}

/** Title and first message of a new thread. */
export function ThreadForm({ title = '', replies = null, onDone, onCancel, ...from }: ThreadFormProps) {
  const start = useStartThread(from, onDone)
  const [isHeld, setIsHeld] = useState(false)

  async function submit({ title: named = '', content = '', moves_replies }: Values): Promise<void> {
    const thread = { title: named.trim(), content: content.trim(), movesReplies: moves_replies === 'on' }
    const held = await start(thread).catch(checkHeld)
    if (held) setIsHeld(true)
  }

  // The message is held for review. Sending it again would create a second thread.
  if (isHeld) return <Held onClose={onCancel} />
  return (
    <SubmitForm
      fields={['title', 'content', 'moves_replies']}
      check={(values) => checkGiven(values, 'title', t('Enter a title.'))}
      submit={submit}
      beginsHere
    >
      {(pending) => (
        <>
          <TextField
            name="title"
            label={t('Title')}
            autoComplete="off"
            maxLength={MAX_THREAD_TITLE_CHARACTERS}
            defaultValue={title}
            placeholder={t('e.g. Route for Sunday')}
          />
          <TextField
            name="content"
            label={t('First message (optional)')}
            maxLength={limits.messageMax}
            render={<textarea rows={3} />}
          />
          {replies !== null && <MovesReplies replies={replies} />}
          <div className="form-actions">
            <Button onClick={onCancel}>{t('Cancel')}</Button>
            <Button type="submit" look="primary" pending={pending}>
              {t('Start thread')}
            </Button>
          </div>
        </>
      )}
    </SubmitForm>
  )
}

function Held({ onClose }: { onClose: () => void }) {
  return (
    <>
      <p role="status">
        {t(
          'Moderators review your message before others can see it. The thread starts once they approve it.',
        )}
      </p>
      <div className="form-actions">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </>
  )
}

/** Returns true if the message is held for review. @throws any other error */
function checkHeld(error: unknown): true {
  if (error instanceof ApiError && error.code === 'held_for_review') return true
  throw error
}
