import { type Static, Type } from 'typebox'
import { MAX_ANNOUNCEMENT_CHARACTERS } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'

export const announcementKinds = ['info', 'warning'] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

const Kind = () => Type.Unsafe<AnnouncementKind>({ type: 'string', enum: announcementKinds })

/** A banner that operators show to everyone. Its text is plain. */
export const Announcement = Type.Object(
  {
    id: Uuid(),
    kind: Kind(),
    text: Type.String(),
    starts_at: Timestamp(),
    ends_at: Timestamp(),
    edited_at: Timestamp('when its text or kind last changed'),
  },
  { title: 'Announcement' },
)
export type Announcement = Static<typeof Announcement>

/** Announcements that have begun and not ended, oldest start first. */
export const Announcements = Type.Object(
  { announcements: Type.Array(Announcement) },
  { title: 'Announcements' },
)
export type Announcements = Static<typeof Announcements>

const times = {
  starts_at: Type.Optional(Nullable(Timestamp('null, or a time that has passed, means now'))),
  ends_at: Timestamp('within 30 days of the start'),
}

export const CreateAnnouncementBody = Type.Object({
  kind: Type.Optional(Kind()),
  text: Text(1, MAX_ANNOUNCEMENT_CHARACTERS),
  ...times,
})
export type CreateAnnouncementBody = Static<typeof CreateAnnouncementBody>

export const UpdateAnnouncementBody = Type.Partial(CreateAnnouncementBody)
export type UpdateAnnouncementBody = Static<typeof UpdateAnnouncementBody>

export const AnnouncementParams = Type.Object({ announcementId: Uuid() })
