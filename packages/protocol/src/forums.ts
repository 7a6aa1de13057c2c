import { type Static, Type } from 'typebox'
import { Attachment } from './attachments.ts'
import {
  MAX_FORUM_GUIDELINES,
  MAX_FORUM_TAGS,
  MAX_FORUM_TEMPLATE,
  MAX_OPENING_CHARACTERS,
  MAX_POST_TAGS,
  MAX_TAG_CHARACTERS,
  MAX_THREAD_TITLE_CHARACTERS,
  MIN_SIMILAR_CHARACTERS,
} from './limits.ts'
import { Nullable, Text, Uuid } from './schema.ts'

/** Capability that a connection names in IDENTIFY to receive forums and their events. */
export const FORUMS_CAPABILITY = 'forums'

/** The order of posts: the newest activity first, or the newest post. */
export const forumSorts = ['activity', 'created'] as const
export type ForumSort = (typeof forumSorts)[number]

export const forumLayouts = ['list', 'gallery'] as const
export type ForumLayout = (typeof forumLayouts)[number]

const Sort = (description: string) =>
  Type.Unsafe<ForumSort>({ type: 'string', enum: [...forumSorts], description })

const Layout = () =>
  Type.Unsafe<ForumLayout>({
    type: 'string',
    enum: [...forumLayouts],
    description: 'in which clients show the posts',
  })

const Color = () => Nullable(Type.Integer({ minimum: 0, maximum: 0xffffff, description: '0xRRGGBB' }))
const isModerated = 'only members with ManageThreads set and remove it'

export const ForumTag = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    color: Color(),
    is_moderated: Type.Boolean({ description: isModerated }),
  },
  { title: 'ForumTag' },
)
export type ForumTag = Static<typeof ForumTag>

/** The settings that only a forum has. */
export const Forum = Type.Object(
  {
    guidelines: Nullable(Type.String({ description: 'Markdown, shown above the posts' })),
    template: Nullable(Type.String({ description: 'with which the text of a new post begins' })),
    tags: Type.Array(ForumTag, { description: 'in their order' }),
    requires_tag: Type.Boolean({ description: 'whether a new post needs a tag' }),
    sort: Sort('the order of the posts unless asked otherwise'),
    layout: Layout(),
  },
  { title: 'Forum' },
)
export type Forum = Static<typeof Forum>

const SetTag = Type.Object({
  id: Type.Optional(Uuid('a tag of the forum, which is kept; a new tag has none')),
  name: Text(1, MAX_TAG_CHARACTERS),
  color: Type.Optional(Color()),
  is_moderated: Type.Optional(
    Type.Boolean({ description: `${isModerated}; false for a new tag without it` }),
  ),
})
export type SetTag = Static<typeof SetTag>

/** Omitted fields stay unchanged; null clears a text. */
export const UpdateForum = Type.Object({
  guidelines: Type.Optional(Nullable(Text(0, MAX_FORUM_GUIDELINES))),
  template: Type.Optional(Nullable(Text(0, MAX_FORUM_TEMPLATE))),
  tags: Type.Optional(
    Type.Array(SetTag, {
      maxItems: MAX_FORUM_TAGS,
      description: 'all tags, in their order: a missing one is deleted, and disappears from its posts',
    }),
  ),
  requires_tag: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Sort('the order of the posts unless asked otherwise')),
  layout: Type.Optional(Layout()),
})
export type UpdateForum = Static<typeof UpdateForum>

export const PostTags = () =>
  Type.Array(Uuid(), { maxItems: MAX_POST_TAGS, uniqueItems: true, description: 'tags of the forum' })

/** The message that a post began with. */
export const PostOpening = Type.Object(
  {
    message_id: Uuid(),
    author_id: Uuid(),
    content: Type.String({ description: `the first ${MAX_OPENING_CHARACTERS} characters` }),
    attachment: Nullable(Attachment),
  },
  { title: 'PostOpening', description: 'The attachment is the first picture.' },
)
export type PostOpening = Static<typeof PostOpening>

/** Fields of a thread that only posts have. */
export const postFields = {
  tags: Type.Optional(Type.Array(Uuid(), { description: 'only in forums' })),
  solved_message_id: Type.Optional(Nullable(Uuid('the answer; only in forums, null without one'))),
  opening_message_id: Type.Optional(
    Nullable(
      Uuid(
        'only in forums: the message with which it began, which may be deleted; null if that is not known',
      ),
    ),
  ),
  is_pinned: Type.Optional(
    Type.Boolean({ description: 'only in forums: it stands before the posts that are not' }),
  ),
}

export const listedPostFields = {
  /** First message of the post. Present only in lists of a forum's posts; null if the message was deleted. */
  opening: Type.Optional(Nullable(PostOpening)),
  reply_count: Type.Optional(
    Type.Integer({ description: 'only in lists of forums: messages other than the opening' }),
  ),
}

export const postFilters = {
  sort: Type.Optional(Sort('in forums; otherwise ignored')),
  tag: Type.Optional(
    Type.Array(Uuid(), { maxItems: MAX_POST_TAGS, description: 'in forums: posts with any of these tags' }),
  ),
  solved: Type.Optional(Type.Boolean({ description: 'in forums: posts with an answer, or without' })),
}

export const SimilarThreadsQuery = Type.Object({
  title: Text(MIN_SIMILAR_CHARACTERS, MAX_THREAD_TITLE_CHARACTERS),
})
export type SimilarThreadsQuery = Static<typeof SimilarThreadsQuery>

export const SetSolutionBody = Type.Object({ message_id: Uuid('a message of the post, but not its opening') })
export type SetSolutionBody = Static<typeof SetSolutionBody>
