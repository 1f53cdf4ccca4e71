/** Whether a server has answered with a page for a browser, as of a login or of a proxy, and not with what was asked for. */
export const isPage = (text: string): boolean => text.trimStart().startsWith('<')
