/** Where the picture of an avatar, icon, banner, emoji or sticker is: it needs no signature. */
export function pictureUrl(attachmentId: string): string {
  return `/attachments/${attachmentId}`
}
