/** A backup or a restore that cannot continue. The message is one sentence for the operator, without secrets. */
export class BackupError extends Error {}

/** Bytes of a backup are missing or changed. */
export class DamagedBackup extends BackupError {}
