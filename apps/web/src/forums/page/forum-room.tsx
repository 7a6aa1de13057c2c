import type { Forum } from '@foyer/protocol/forums'
import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Markdown } from '#src/markdown/markdown.tsx'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { PostForm } from '../creation/post-form.tsx'
import './forum-room.css'
import { PostFilters } from './post-filters.tsx'
import { PostList } from './post-list.tsx'
import type { PostFilter } from './post-order.ts'

/** A forum: its guidelines, a form for a new post, and its posts. */
export function ForumRoom({ room }: { room: Room }) {
  const { forum } = room
  if (forum === undefined) return null
  return <Posts room={room} forum={forum} />
}

function Posts({ room, forum }: { room: Room; forum: Forum }) {
  const rights = useRoomPermissions(room.id)
  const mayPost = rights.may('CreateThreads') && rights.may(Permission.SendMessages)
  const [isNew, setIsNew] = useState(false)
  const [layout, setLayout] = useState(forum.layout)
  const [filter, setFilter] = useState<PostFilter>({ sort: forum.sort, tags: [], solved: null })
  return (
    <div className="forum">
      {forum.guidelines !== null && (
        <section className="forum-guidelines" aria-label={t('Guidelines')}>
          <h2>{t('Guidelines')}</h2>
          <div dir="auto">
            <Markdown text={forum.guidelines} />
          </div>
        </section>
      )}
      {isNew ? (
        <PostForm room={room} forum={forum} onCancel={() => setIsNew(false)} />
      ) : (
        mayPost && (
          <Button look="primary" className="forum-new" onClick={() => setIsNew(true)}>
            <Plus aria-hidden="true" /> {t('New post')}
          </Button>
        )
      )}
      <PostFilters
        tags={forum.tags}
        filter={filter}
        onFilter={setFilter}
        layout={layout}
        onLayout={setLayout}
      />
      <PostList room={room} tags={forum.tags} filter={filter} layout={layout} />
    </div>
  )
}
