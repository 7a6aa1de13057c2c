/** Errors specific to exports and imports of spaces. */
export const archiveErrors: Readonly<Record<string, string>> = {
  'spaceArchives.download':
    'export_needs_login export_not_ready missing_permission owner_only storage_unavailable unknown_export',
  'spaceArchives.export':
    'code_required export_too_soon export_underway missing_permission no_password owner_only proof_ended too_many_failed_logins wrong_code wrong_password',
  'spaceArchives.getImport': 'unknown_import',
  'spaceArchives.import':
    'disk_full import_underway storage_full storage_unavailable too_many_spaces upload_incomplete upload_too_large',
  'spaceArchives.listExports': 'missing_permission owner_only',
}
