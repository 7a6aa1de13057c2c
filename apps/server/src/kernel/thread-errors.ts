/** Errors of threads. */
export const threadErrors = {
  no_threads_here: { status: 400, message: 'threads begin in text rooms only' },
  invalid_title: {
    status: 400,
    message: 'a title has no line breaks, control characters or marks of direction',
  },
  invalid_cursor: { status: 400, message: 'before is not the cursor of a page' },
  not_movable: { status: 400, message: 'these messages cannot be moved into this thread' },
  merging_itself: { status: 400, message: 'a thread cannot be merged into itself' },
  not_a_thread: { status: 400, message: 'also_to_room is for messages in threads' },
  thread_closed: { status: 403, message: 'this thread is closed' },
  unknown_thread: { status: 404, message: 'thread not found' },
  thread_exists: { status: 409, message: 'this message has a thread already' },
} as const
