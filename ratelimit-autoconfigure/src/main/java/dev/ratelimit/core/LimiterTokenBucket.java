package dev.ratelimit.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * {@link TokenBucket} of one key of a {@link RateLimiter}, which is looked up when first
 * needed.
 */
final class LimiterTokenBucket implements TokenBucket {

	private final Supplier<RateLimiter> lookup;

	private final @Nullable String key;

	private volatile @Nullable RateLimiter limiter;

	LimiterTokenBucket(Supplier<RateLimiter> lookup, @Nullable String key) {
		this.lookup = lookup;
		this.key = key;
	}

	@Override
	public boolean tryAcquire(long tokens) {
		RateLimitRequest request = request(tokens, 0);
		checkFits(request);
		boolean acquired = limiter().tryAdmit(request, null);
		if (!acquired) {
			limiter().report().rejected(this.key, tokens);
		}
		return acquired;
	}

	@Override
	public boolean tryAcquire(long tokens, Duration maxWait) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		RateLimitRequest request = request(tokens, Waits.nanos(maxWait));
		checkFits(request);
		return RateLimitAdmission.request(List.of(request), null).awaitInterruptibly() == null;
	}

	@Override
	public Reservation reserve(long tokens, Duration maxWait) {
		RateLimitRequest request = request(tokens, Waits.nanos(maxWait));
		checkFits(request);
		RateLimiterSettings settings = limiter().settings();
		if (limiter().passesUnasked(settings, this.key, tokens)) {
			return new GrantedReservation(limit().capacity());
		}
		try {
			Reservation reservation = limiter().buckets()
				.reserve(this.key, tokens, limiter().maxWaitNanos(settings, request));
			return (reservation.granted() || !settings.shadow()) ? reported(reservation, tokens)
					: shadowed(tokens, reservation.availableTokens());
		}
		catch (RateLimitStoreUnavailableException ex) {
			if (settings.shadow()) {
				return shadowed(tokens, 0);
			}
			throw ex;
		}
	}

	private Reservation reported(Reservation reservation, long tokens) {
		DecisionReport report = limiter().report();
		if (!reservation.granted()) {
			report.rejected(this.key, tokens);
		}
		else if (reservation.waitTime().isZero()) {
			report.allowed(this.key, tokens);
		}
		else {
			report.waited(this.key, tokens, reservation.waitTime());
		}
		return reservation;
	}

	private Reservation shadowed(long tokens, long availableTokens) {
		limiter().report().shadowed(this.key, tokens);
		return new GrantedReservation(availableTokens);
	}

	/**
	 * Lets the bucket throw what it throws where it can never hold so many tokens.
	 */
	private void checkFits(RateLimitRequest request) {
		if (RateLimiter.exceedsCapacity(limiter().settings(), request)) {
			limiter().buckets().reserve(this.key, request.tokens(), 0);
		}
	}

	@Override
	public long availableTokens() {
		return limiter().availableTokens(this.key);
	}

	@Override
	public RateLimit limit() {
		return limiter().settings().limit(this.key);
	}

	@Override
	public String toString() {
		return (this.key != null) ? "%s[%s]".formatted(limiter(), this.key) : limiter().toString();
	}

	private RateLimitRequest request(long tokens, long maxWaitNanos) {
		return new RateLimitRequest(limiter(), this.key, tokens, maxWaitNanos);
	}

	private RateLimiter limiter() {
		RateLimiter limiter = this.limiter;
		if (limiter == null) {
			limiter = this.lookup.get();
			this.limiter = limiter;
		}
		return limiter;
	}

}
