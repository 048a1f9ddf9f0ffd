//! Rule tests, coverage, citations and golden playthroughs.

engine::suite!(dagc);
