package dev.ratelimit.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * One named limit: its settings, its buckets (an unkeyed one, and one for each key), and
 * the calls that wait for them.
 */
public final class RateLimiter {

	private final TokenBucketStore.Buckets buckets;

	private final boolean remote;

	private final TimeSource timeSource;

	private final DecisionReport report;

	private final String store;

	private final WaitingCalls waiting = new WaitingCalls();

	private volatile RateLimiterSettings settings;

	/**
	 * Creates a limiter.
	 * @param settings its settings
	 * @param store where its buckets are kept
	 * @param timeSource the clock by which its calls wait
	 * @param listener who is told what it decides
	 */
	public RateLimiter(RateLimiterSettings settings, TokenBucketStore store, TimeSource timeSource,
			RateLimitListener listener) {
		this.settings = settings;
		this.remote = store.isRemote();
		this.buckets = store.open(settings, this::storeFailed);
		this.timeSource = timeSource;
		this.store = store.name();
		this.report = new DecisionReport(this, listener, timeSource);
	}

	/**
	 * Returns the name of the limit.
	 * @return the name
	 */
	public String name() {
		return this.settings.name();
	}

	/**
	 * Returns the settings in force.
	 * @return the settings
	 */
	public RateLimiterSettings settings() {
		return this.settings;
	}

	/**
	 * Returns the name of the store that keeps the buckets.
	 * @return the name
	 */
	public String store() {
		return this.store;
	}

	/**
	 * Returns the unkeyed bucket.
	 * @return a view of the bucket, through which calls count as calls of this limit
	 */
	public TokenBucket bucket() {
		return new LimiterTokenBucket(() -> this, null);
	}

	/**
	 * Returns the bucket of a key, which is the one that calls annotated with that key
	 * use.
	 * @param key the key; {@code null} or empty: the unkeyed bucket
	 * @return a view of the bucket, through which calls count as calls of this limit
	 */
	public TokenBucket bucket(@Nullable String key) {
		return new LimiterTokenBucket(() -> this, (key == null || key.isEmpty()) ? null : key);
	}

	/**
	 * Returns the number of calls that wait now.
	 * @return zero or more
	 */
	public int waiters() {
		return this.waiting.count();
	}

	/**
	 * Returns the number of keyed buckets held in memory.
	 * @return zero or more
	 */
	public long keys() {
		return this.buckets.keys();
	}

	/**
	 * Returns the tokens of the unkeyed bucket, where they are in a store elsewhere as
	 * they were last seen.
	 * @return from zero to the capacity
	 */
	public long lastSeenTokens() {
		return this.buckets.lastSeenTokens();
	}

	/**
	 * Returns the number of keyed buckets that have been dropped to make room though they
	 * were not full, which refilled them. Where it grows,
	 * {@code ratelimit.buckets.<name>.max-keys} is too small.
	 * @return zero or more
	 */
	public long dropped() {
		return this.buckets.dropped();
	}

	/**
	 * Puts another limit in force, at once and for all keys but those that have limits of
	 * their own. Tokens are kept, up to the new capacity; the waits under way become
	 * shorter or longer.
	 * @param limit the limit
	 * @throws InvalidRateLimitException if the store cannot keep buckets of it
	 */
	public synchronized void change(RateLimit limit) {
		RateLimiterSettings before = this.settings;
		this.settings = before.withLimit(limit);
		try {
			this.buckets.change(limit);
		}
		catch (InvalidRateLimitException ex) {
			this.settings = before;
			throw ex;
		}
	}

	/**
	 * Puts the limit in shadow mode or takes it out of it, at once. In shadow mode a call
	 * that finds too few tokens takes none, is counted and logged, and passes without
	 * waiting; what no bucket can ever hold is an error still.
	 * @param shadow whether the limit only counts
	 */
	public synchronized void shadow(boolean shadow) {
		this.settings = this.settings.withShadow(shadow);
	}

	/**
	 * Fills all buckets, for those who wait first.
	 */
	public void refill() {
		this.buckets.refillAll();
	}

	/**
	 * Fills one bucket, for those who wait first. It is not created for that.
	 * @param key whose bucket; {@code null} or empty: the unkeyed one
	 */
	public void refill(@Nullable String key) {
		this.buckets.refill((key == null || key.isEmpty()) ? null : key);
	}

	/**
	 * Takes the tokens of a call if it may pass at once. A call that may not is not
	 * reported: it goes on to {@link RateLimitAdmission}.
	 * @param request what the call asks of this limit
	 * @param context the request that the call belongs to, which is told of an
	 * acceptance; {@code null}: none
	 * @return whether the call may pass; {@code false} if that cannot be told without a
	 * round trip
	 */
	public boolean admitAtOnce(RateLimitRequest request, @Nullable CallContext context) {
		return !this.remote && tryAdmit(request, context);
	}

	/**
	 * Takes the tokens of a call if it may pass at once, however long the store takes to
	 * answer. A call that may not is not reported.
	 */
	boolean tryAdmit(RateLimitRequest request, @Nullable CallContext context) {
		RateLimiterSettings settings = this.settings;
		String key = request.key();
		long tokens = request.tokens();
		if (passesUnasked(settings, key, tokens)) {
			return true;
		}
		if (tokens <= settings.limit(key).capacity() && tryTake(settings, key, tokens)) {
			this.report.allowed(key, tokens);
			tellAccepted(key, null, context);
			return true;
		}
		if (settings.shadow()) {
			this.report.shadowed(key, tokens);
		}
		return settings.shadow();
	}

	@Override
	public String toString() {
		return "%s: %s".formatted(name(), this.settings.limit());
	}

	long availableTokens(@Nullable String key) {
		return this.buckets.availableTokens(key);
	}

	TokenBucketStore.Buckets buckets() {
		return this.buckets;
	}

	/**
	 * Asks for the tokens of a call.
	 * @return its admission, or {@code null} if the limit is not in force
	 */
	@Nullable Admission ask(RateLimitRequest request) {
		RateLimiterSettings settings = this.settings;
		if (!settings.enabled()) {
			return null;
		}
		if (settings.isUnlimited(request.key())) {
			return Admission.exempt(request);
		}
		if (exceedsCapacity(settings, request)) {
			return Admission.answered(request, null);
		}
		try {
			return Admission.answered(request,
					this.buckets.reserve(request.key(), request.tokens(), maxWaitNanos(settings, request)));
		}
		catch (RuntimeException ex) {
			return unanswered(settings, request, ex);
		}
	}

	/**
	 * Asks for the tokens of a call without blocking.
	 * @return a stage of what {@link #ask(RateLimitRequest)} returns
	 */
	CompletionStage<@Nullable Admission> askAsync(RateLimitRequest request) {
		RateLimiterSettings settings = this.settings;
		if (!settings.enabled() || settings.isUnlimited(request.key()) || exceedsCapacity(settings, request)) {
			return CompletableFuture.completedStage(ask(request));
		}
		try {
			return this.buckets.reserveAsync(request.key(), request.tokens(), maxWaitNanos(settings, request))
				.handle((reservation, failure) -> (failure != null) ? unanswered(settings, request, failure)
						: Admission.answered(request, reservation));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.completedStage(unanswered(settings, request, ex));
		}
	}

	/**
	 * Answers for a bucket that threw: its capacity has just been lowered, or its store
	 * does not answer, which is nobody's concern in shadow mode.
	 */
	private static Admission unanswered(RateLimiterSettings settings, RateLimitRequest request, Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof IllegalArgumentException
				|| (settings.shadow() && cause instanceof RateLimitStoreUnavailableException)) {
			return Admission.answered(request, null);
		}
		throw (cause instanceof RuntimeException exception) ? exception : new CompletionException(cause);
	}

	private void storeFailed(Throwable failure) {
		this.report.storeFailed(this.store, failure);
	}

	private boolean tryTake(RateLimiterSettings settings, @Nullable String key, long tokens) {
		try {
			return this.buckets.tryAcquire(key, tokens);
		}
		catch (IllegalArgumentException ex) {
			return false; // the capacity has just been lowered
		}
		catch (RateLimitStoreUnavailableException ex) {
			if (settings.shadow()) {
				return false;
			}
			throw ex;
		}
	}

	/**
	 * Returns whether a call passes without being asked for tokens, and reports it if its
	 * key is the reason.
	 */
	boolean passesUnasked(RateLimiterSettings settings, @Nullable String key, long tokens) {
		if (settings.enabled() && settings.isUnlimited(key)) {
			this.report.exempt(key, tokens);
			return true;
		}
		return !settings.enabled();
	}

	static boolean exceedsCapacity(RateLimiterSettings settings, RateLimitRequest request) {
		return settings.enabled() && !settings.isUnlimited(request.key())
				&& request.tokens() > settings.limit(request.key()).capacity();
	}

	long maxWaitNanos(RateLimiterSettings settings, RateLimitRequest request) {
		Integer maxWaiters = settings.maxWaiters();
		boolean crowded = maxWaiters != null && this.waiting.count() >= maxWaiters;
		return (settings.shadow() || crowded) ? 0 : request.maxWaitNanos();
	}

	/**
	 * Lets a call wait, if there is a place.
	 * @return whether there is
	 */
	boolean enter(Admission admission) {
		return this.waiting.enter(admission, this.settings.maxWaiters());
	}

	void leave(Admission admission) {
		this.waiting.leave(admission);
	}

	void tellAccepted(@Nullable String key, @Nullable Reservation reservation, @Nullable CallContext context) {
		if (context != null && !this.settings.shadow()) {
			long available = available(key, reservation);
			context.decided(new RateLimitDecision(name(), this.settings.limit(key), available, true, null));
		}
	}

	/**
	 * Returns what a bucket holds, without a round trip: as the answer to a call said, if
	 * need be.
	 */
	long available(@Nullable String key, @Nullable Reservation reservation) {
		if (!this.remote) {
			return this.buckets.availableTokens(key);
		}
		return (reservation != null) ? reservation.availableTokens() : 0;
	}

	/**
	 * Returns whether asking for tokens takes a round trip.
	 * @return what the {@linkplain TokenBucketStore#isRemote() store} says
	 */
	public boolean isRemote() {
		return this.remote;
	}

	DecisionReport report() {
		return this.report;
	}

	TimeSource timeSource() {
		return this.timeSource;
	}

	/**
	 * Releases all calls that wait, and lets none wait any more.
	 */
	void close() {
		this.waiting.close();
	}

}
