package dev.ratelimit.core;

/**
 * A move of the positions that reservations hold in a bucket: readings of the
 * {@link TokenClock} at which the bucket would be full again after each.
 */
sealed interface PositionShift {

	long apply(long position);

	/**
	 * Parts that came back at a position: all behind it move up.
	 */
	record Return(long giver, long parts) implements PositionShift {

		@Override
		public long apply(long position) {
			return (position - this.giver > 0) ? position - this.parts : position;
		}

		/**
		 * Returns one shift that moves every position at least as far as this and a later
		 * one do together, so that no more is given back than if both were known.
		 */
		Return merge(Return later) {
			long first = (later.giver - this.giver > 0) ? this.giver : later.giver;
			return new Return(first, this.parts + later.parts);
		}

	}

	/**
	 * Another limit: what is available, or owed by those who wait, stays the same number
	 * of tokens.
	 */
	record Change(TokenClock from, long fromLevel, TokenClock to, long toLevel) implements PositionShift {

		static Change at(long instant, TokenClock from, TokenClock to) {
			return new Change(from, from.generated(instant) + from.burst(), to, to.generated(instant) + to.burst());
		}

		@Override
		public long apply(long position) {
			long shortage = this.to.convert(position - this.fromLevel, this.from);
			return this.toLevel + Math.max(-this.to.burst(), shortage);
		}

	}

}
