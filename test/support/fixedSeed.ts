import * as fc from 'fast-check';
import { IS_MUTANT, SEED } from './histories.mts';

// To kill a mutant, the first failing example is enough.
fc.configureGlobal({ seed: SEED, endOnFailure: IS_MUTANT });
