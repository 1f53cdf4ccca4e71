/** Replaces a module of Node that is loaded and never used. */
export const constants = {}
// oxlint-disable-next-line no-extraneous-class -- nothing is one
export class Http2ServerResponse {}
export default { constants }
