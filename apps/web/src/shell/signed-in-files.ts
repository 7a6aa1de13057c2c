/** The name of the page's tag with what is for those who are signed in: its scripts and styles, with spaces between. */
export const SIGNED_IN_FILES = 'signed-in-files'
