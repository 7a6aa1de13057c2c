/** Errors of exports and imports. */
export const archiveErrors = {
  export_needs_login: { status: 403, message: 'log in again: another session asked for this export' },
  unknown_import: { status: 404, message: 'import not found' },
  unknown_export: { status: 404, message: 'export not found' },
  import_underway: { status: 409, message: 'another archive of yours is being imported' },
  export_underway: { status: 409, message: 'an export is being made already' },
  export_not_ready: { status: 409, message: 'this export is not ready' },
} as const
