/** Versions of Node.js that run what is installed, and versions that do not. */
export const RUNNING = ['22.21.0', '22.99.1', '24.11.0', '26.0.0', '27.1.0']
export const TOO_OLD = ['20.20.2', '22.20.9', '23.6.0', '24.10.0', '25.2.0']
