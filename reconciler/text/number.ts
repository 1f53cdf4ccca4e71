export { sayNumber as number } from '@deploymgmt/provider/core/text'
