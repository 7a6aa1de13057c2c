import type { Forum } from '@foyer/protocol/forums'
import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { OnWebLine } from '#src/channels/pane/on-web-line.tsx'
import { t } from '#src/language/texts.ts'
import { Markdown } from '#src/markdown/markdown.tsx'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { findPostDraft } from '../creation/post-draft.ts'
import { PostForm } from '../creation/post-form.tsx'
import { useKeptScroll } from './forum-place.ts'
import './forum-room.css'
import { useForumView, usePresentFilter } from './forum-view.ts'
import { PostFilters } from './post-filters.tsx'
import { PostList } from './post-list.tsx'

/** A forum: its guidelines, a form for a new post, and its posts. */
export function ForumRoom({ room }: { room: Room }) {
  const { forum } = room
  if (forum === undefined) return null
  return <Posts room={room} forum={forum} />
}

function Posts({ room, forum }: { room: Room; forum: Forum }) {
  const rights = useRoomPermissions(room.id)
  const mayPost = rights.may('CreateThreads') && rights.may(Permission.SendMessages)
  const session = useSession()
  const [isNew, setIsNew] = useState(() => findPostDraft(session, room.id) !== undefined)
  const [isHeld, setIsHeld] = useState(false)
  const [view, setView] = useForumView(room.id, forum)
  const { layout } = view
  const box = useKeptScroll(room.id)
  const filter = usePresentFilter(forum, view.filter)
  return (
    <div ref={box} className="forum">
      {forum.guidelines !== null && (
        <section className="forum-guidelines" aria-label={t('Guidelines')}>
          <h2>{t('Guidelines')}</h2>
          <div dir="auto">
            <Markdown text={forum.guidelines} />
          </div>
        </section>
      )}
      {isNew ? (
        <PostForm
          room={room}
          forum={forum}
          onCancel={() => setIsNew(false)}
          onHeld={() => {
            setIsNew(false)
            setIsHeld(true)
          }}
        />
      ) : (
        mayPost && (
          <Button
            look="primary"
            className="forum-new"
            onClick={() => {
              setIsNew(true)
              setIsHeld(false)
            }}
          >
            <Plus aria-hidden="true" /> {t('New post')}
          </Button>
        )
      )}
      {!isNew && <OnWebLine />}
      {isHeld && (
        <p role="status">{t('Moderators review the text of your post before others can see it.')}</p>
      )}
      <PostFilters
        tags={forum.tags}
        filter={filter}
        onFilter={(chosen) => setView({ ...view, filter: chosen })}
        layout={layout}
        onLayout={(chosen) => setView({ ...view, layout: chosen })}
      />
      <PostList room={room} tags={forum.tags} filter={filter} layout={layout} />
    </div>
  )
}
