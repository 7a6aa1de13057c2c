/** Returns the URL of an avatar, icon, banner, emoji or sticker. It needs no signature. */
export function pictureUrl(attachmentId: string): string {
  return `/attachments/${attachmentId}`
}
