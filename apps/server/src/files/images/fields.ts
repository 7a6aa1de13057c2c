/** Fields that show an image of a space or user. In a form, the file to upload has the same field name. */
export type ImageField = keyof typeof imageFits

/** Boxes in pixels that images are scaled to fit. */
export const imageFits = {
  icon: { width: 1024, height: 1024 },
  avatar: { width: 1024, height: 1024 },
  banner: { width: 2048, height: 2048 },
} as const

/** Ids of new attachments, by the field that will show them. */
export type NewImages = { [Field in ImageField]?: string }
