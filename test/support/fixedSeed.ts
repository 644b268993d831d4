import * as fc from 'fast-check';
import { SEED } from './histories.mts';

// Whoever kills a mutant needs no smaller example.
const endOnFailure = process.env.STRYKER_MUTATOR_WORKER !== undefined;
fc.configureGlobal({ seed: SEED, endOnFailure });
