//! The tests that every rulebook runs on its data.

engine::suite!(barbarossa);
