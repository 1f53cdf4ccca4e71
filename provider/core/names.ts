/** Field names are the API's, in camelCase; the command line uses kebab-case, Terraform snake_case. */

// Every capital begins a word (`chat-c-webhook-url`), so each form can be converted back.
const wordStart = /(?<!^)(?=[A-Z])/g

export const camelToKebab = (name: string): string => name.replaceAll(wordStart, '-').toLowerCase()
export const camelToSnake = (name: string): string => name.replaceAll(wordStart, '_').toLowerCase()
export const snakeToKebab = (name: string): string => name.replaceAll('_', '-')
