/** Name of the meta tag that lists the scripts and styles for signed-in users, separated by spaces. */
export const SIGNED_IN_FILES = 'signed-in-files'
