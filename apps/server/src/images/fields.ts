/** What shows a picture of a space or a user: the field of the object, and the name of the file in a form. */
export type ImageField = keyof typeof imageFits

/** The boxes that pictures are made to fit, in pixels. */
export const imageFits = {
  icon: { width: 1024, height: 1024 },
  avatar: { width: 1024, height: 1024 },
  banner: { width: 2048, height: 2048 },
} as const

/** Ids of new attachments, by the field that is to show them. */
export type NewImages = { [Field in ImageField]?: string }
