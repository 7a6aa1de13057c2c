/** Returns the server's name for mails: the name in MAIL_FROM, or the host of its address. */
export function serverNameOf({ mailFrom, publicUrl }: { mailFrom: string; publicUrl: string }): string {
  const at = mailFrom.lastIndexOf('<')
  const name = mailFrom
    .slice(0, Math.max(at, 0))
    .replaceAll(/["\s]+/g, ' ')
    .trim()
  return name === '' ? new URL(publicUrl).hostname : name
}
