/** `invalid_archive`: not an archive, or incomplete. `archive_too_new`: made by a newer server. */
export type ArchiveFault = 'invalid_archive' | 'archive_too_new'

/** An invalid archive. The message explains the problem to the person who uploaded it. */
export class ArchiveError extends Error {
  readonly fault: ArchiveFault

  constructor(message: string, fault: ArchiveFault = 'invalid_archive') {
    super(message)
    this.fault = fault
  }
}
