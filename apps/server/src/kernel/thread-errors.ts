/** Errors of threads and forums. */
export const threadErrors = {
  no_threads_here: { status: 400, message: 'threads begin in text rooms and forums only' },
  invalid_title: {
    status: 400,
    message: 'a title has no line breaks, control characters or marks of direction',
  },
  invalid_cursor: { status: 400, message: 'before is not the cursor of a page' },
  not_movable: { status: 400, message: 'these messages cannot be moved into this thread' },
  thread_merging: { status: 409, message: 'a thread is still being merged, try again later' },
  merging_itself: { status: 400, message: 'a thread cannot be merged into itself' },
  not_a_thread: { status: 400, message: 'also_to_room is for messages in threads' },
  thread_closed: { status: 403, message: 'this thread is closed' },
  unknown_thread: { status: 404, message: 'thread not found' },
  thread_exists: { status: 409, message: 'this message has a thread already' },
  not_a_forum: { status: 400, message: 'only a forum and its posts have this' },
  unknown_tag: { status: 400, message: 'the forum has no such tag' },
  duplicate_tag: { status: 400, message: 'two tags of a forum have different names' },
  invalid_tag_name: {
    status: 400,
    message: 'a tag has no line breaks, control characters or marks of direction',
  },
  tag_required: { status: 400, message: 'posts of this forum need a tag' },
  moderated_tag: { status: 403, message: 'only moderators set and remove this tag' },
  thread_name_required: {
    status: 400,
    message: 'a webhook of a forum needs thread_id, or thread_name for a new post',
  },
  too_many_pinned_posts: { status: 400, message: 'the forum already has 10 pinned posts' },
  not_an_answer: { status: 400, message: 'the opening of a post and a notice are no answers' },
} as const
