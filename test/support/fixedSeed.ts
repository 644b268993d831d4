import * as fc from 'fast-check';
import { IS_MUTANT, SEED } from './histories.mts';

// Whoever kills a mutant needs no smaller example.
fc.configureGlobal({ seed: SEED, endOnFailure: IS_MUTANT });
