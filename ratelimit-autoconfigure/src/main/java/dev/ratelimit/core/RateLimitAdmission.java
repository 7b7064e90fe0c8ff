package dev.ratelimit.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The admission of one call by all of its limits, or by none: if one refuses, what the
 * others granted goes back. The call waits for the longest of their waits.
 */
public final class RateLimitAdmission {

	private final List<Admission> admissions;

	private final @Nullable CallContext context;

	private final AtomicBoolean ended = new AtomicBoolean();

	private @Nullable RateLimitRefusal refusal;

	private RateLimitAdmission(int limits, @Nullable CallContext context) {
		this.admissions = new ArrayList<>(limits);
		this.context = context;
	}

	/**
	 * Asks all limits.
	 * @param requests what is asked of each
	 * @param context the request that the call belongs to, which is told what is decided;
	 * {@code null}: none
	 * @return the admission, to be waited for or cancelled
	 */
	public static RateLimitAdmission request(List<RateLimitRequest> requests, @Nullable CallContext context) {
		if (requests.size() > 1 && requests.stream().anyMatch((request) -> request.limiter().isRemote())) {
			return join(requestAsync(requests, context));
		}
		RateLimitAdmission admission = new RateLimitAdmission(requests.size(), context);
		try {
			for (RateLimitRequest request : requests) {
				admission.add(request.limiter().ask(request));
			}
			return admission.asked();
		}
		catch (RuntimeException ex) {
			admission.rollBack();
			throw ex;
		}
	}

	/**
	 * Asks all limits without blocking, and at the same time, for each may be a round
	 * trip.
	 * @param requests what is asked of each
	 * @param context the request that the call belongs to, which is told what is decided;
	 * {@code null}: none
	 * @return a stage of the admission, to be waited for or cancelled
	 */
	public static CompletionStage<RateLimitAdmission> requestAsync(List<RateLimitRequest> requests,
			@Nullable CallContext context) {
		List<CompletableFuture<@Nullable Admission>> answers = new ArrayList<>(requests.size());
		requests.forEach((request) -> answers.add(ask(request)));
		return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
			.handle((done, failure) -> answered(answers, failure, context));
	}

	private static CompletableFuture<@Nullable Admission> ask(RateLimitRequest request) {
		try {
			return request.limiter().askAsync(request).toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static RateLimitAdmission answered(List<CompletableFuture<@Nullable Admission>> answers,
			@Nullable Throwable failure, @Nullable CallContext context) {
		RateLimitAdmission admission = new RateLimitAdmission(answers.size(), context);
		answers.stream()
			.filter((answer) -> !answer.isCompletedExceptionally())
			.forEach((answer) -> admission.add(answer.join()));
		if (failure != null) {
			admission.rollBack();
			throw new CompletionException(StageFailure.cause(failure));
		}
		return admission.asked();
	}

	private static RateLimitAdmission join(CompletionStage<RateLimitAdmission> asked) {
		try {
			return asked.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	/**
	 * Parks the calling thread until the call is admitted.
	 * @return the refusal, or {@code null} if the call is admitted
	 * @throws RateLimitWaitInterruptedException if the thread is interrupted while it
	 * waits, whose flag stays set, or if the application shuts down
	 */
	public @Nullable RateLimitRefusal await() {
		try {
			return awaitInterruptibly();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RateLimitWaitInterruptedException(names(), "the thread was interrupted");
		}
	}

	@Nullable RateLimitRefusal awaitInterruptibly() throws InterruptedException {
		if (this.refusal != null) {
			return this.refusal;
		}
		try {
			for (Admission admission : inOrder()) {
				if (!admission.await()) {
					return refuse(admission);
				}
			}
			admit();
			return null;
		}
		catch (CancellationException ex) {
			throw ended(ex);
		}
		finally {
			cancel();
		}
	}

	/**
	 * Returns a stage that completes when the call may be {@linkplain #admit() admitted}
	 * or is refused, and fails as {@link #await()} does.
	 * @return a stage of the refusal, which is empty if the call may be admitted
	 */
	public CompletionStage<Optional<RateLimitRefusal>> whenAdmitted() {
		if (this.refusal != null) {
			return CompletableFuture.completedStage(Optional.of(this.refusal));
		}
		CompletionStage<Optional<RateLimitRefusal>> stage = CompletableFuture.completedStage(Optional.empty());
		for (Admission admission : inOrder()) {
			stage = stage.thenCompose((refused) -> refused.isPresent() ? CompletableFuture.completedStage(refused)
					: admission.whenUsable()
						.thenApply((usable) -> usable ? Optional.empty() : Optional.of(refuse(admission))));
		}
		return stage.handle((refused, failure) -> (failure != null) ? failed(failure) : completed(refused));
	}

	/**
	 * Takes the tokens for good, when the call is about to proceed.
	 * @return whether it may: it may not if it was cancelled meanwhile
	 */
	public boolean admit() {
		return end((admission) -> admission.admit(this.context));
	}

	/**
	 * Gives all tokens back, unless the call has been admitted or refused before.
	 */
	public void cancel() {
		end(Admission::cancel);
	}

	private void add(@Nullable Admission admission) {
		if (admission != null) {
			this.admissions.add(admission);
		}
	}

	/**
	 * Ends if a limit has refused. Of several, the one that would have let the call pass
	 * last answers for all.
	 */
	private RateLimitAdmission asked() {
		Admission last = null;
		for (Admission admission : this.admissions) {
			if (admission.isRefused() && (last == null || admission.timeToPass().compareTo(last.timeToPass()) > 0)) {
				last = admission;
			}
		}
		if (last != null) {
			this.refusal = refuse(last);
		}
		return this;
	}

	private RateLimitRefusal refuse(Admission admission) {
		RateLimitRefusal refused = admission.refuse(this.context);
		rollBack();
		return refused;
	}

	private void rollBack() {
		end(Admission::rollBack);
	}

	/**
	 * Returns the parts of this admission, the shortest wait first: a limit that is
	 * lowered and refuses after all is heard before the wait it had promised is over.
	 */
	private List<Admission> inOrder() {
		return (this.admissions.size() <= 1) ? this.admissions
				: this.admissions.stream().sorted(Comparator.comparing(Admission::timeToPass)).toList();
	}

	private boolean end(Consumer<Admission> end) {
		boolean first = this.ended.compareAndSet(false, true);
		if (first) {
			this.admissions.forEach(end);
		}
		return first;
	}

	private Optional<RateLimitRefusal> completed(Optional<RateLimitRefusal> refused) {
		if (refused.isPresent()) {
			rollBack();
		}
		return refused;
	}

	private Optional<RateLimitRefusal> failed(Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		cancel();
		if (cause instanceof CancellationException cancellation) {
			throw ended(cancellation);
		}
		throw new CompletionException(cause);
	}

	private RuntimeException ended(CancellationException cancellation) {
		return this.admissions.stream().anyMatch(Admission::isReleased)
				? new RateLimitWaitInterruptedException(names(), "the application is shutting down") : cancellation;
	}

	private String names() {
		return String.join("', '",
				this.admissions.stream().map((admission) -> admission.request().limiter().name()).toList());
	}

}
