import { baseUrlIn, checkBaseUrl } from '@deploymgmt/provider/api'
import type { Io } from '../../io.ts'
import type { CommonOptions } from '../line/options.ts'
import { LOCAL_NAME } from './local.ts'

/** The address of the service, for commands that need nothing else of it. */
export const baseUrlFrom = async ({ env }: Io, options: CommonOptions): Promise<string> =>
  options.local === true
    ? LOCAL_NAME
    : checkBaseUrl(baseUrlIn(env, '; or try --local'), options).href.replace(/\/+$/, '')
