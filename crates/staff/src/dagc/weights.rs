//! The numbers of the doctrine. Values are in victory points.

crate::weights! {
    /// What counts how much.
    pub struct DagcWeights {
        /// A combat factor.
        factor = 0.35,
        /// A step, besides its factors.
        step = 0.2,
        /// A unit, besides its steps: it holds a hex and has zones of control.
        unit = 0.4,
        /// A hex gained or lost in combat.
        ground = 0.3,
        /// A scoring place taken at once, in parts of its points.
        place = 0.8,
        /// How fast strength fades with distance, a turn's march.
        distance = 0.9,
        /// What a German factor counts against a Soviet one where a place is contested.
        ratio = 0.6,
        /// How much of the other side's strength counts where it does not yet hold the place.
        hold = 0.75,
        /// The expected points, in the choice of moves.
        march = 1.0,
        /// An attack that a Soviet move prepares.
        soviet_prepare = 0.9,
        /// An attack that a German move prepares.
        german_prepare = 0.6,
        /// An attack that is not strong enough yet.
        build = 0.25,
        /// What the enemy could do to a hex, in the choice of German moves.
        german_caution = 0.5,
        /// The same for Soviet moves.
        soviet_caution = 0.2,
        /// What the enemy could do to a place that counts.
        guard = 1.0,
        /// How much the second enemy unit that can come for a hex counts beside the first, the third beside the second …
        share = 0.6,
        /// Koenigsberg from afar, in points.
        prussia = 12.0,
        /// A friend beside.
        friend = 0.08,
        /// Cutting the enemy's supply, in parts of what is cut off.
        pocket = 0.3,
        /// Being out of supply.
        oos = 0.8,
        /// The least that an attack must promise.
        attack = 0.05,
        /// The least that an air army must add.
        air = 0.15,
    }
}
