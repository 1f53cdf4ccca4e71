/** Whether a server has answered with a page for a browser, such as a login page or that of a proxy. */
export const isPage = (text: string): boolean => text.trimStart().startsWith('<')
