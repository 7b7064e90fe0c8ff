package dev.ratelimit.aspect;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimitAdmission;
import dev.ratelimit.core.RateLimitRefusal;
import dev.ratelimit.core.StageFailure;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.task.TaskDecorator;

/**
 * Limits a method that returns a {@link CompletionStage}: a refusal is a failed stage,
 * and a wait delays the call, which then runs on an executor, decorated by the thread
 * that made it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // each stage hands its failure on
final class CompletionStageAdapter implements ReturnTypeAdapter {

	private final Supplier<Executor> executor;

	private final TaskDecorator taskDecorator;

	CompletionStageAdapter(Supplier<Executor> executor, TaskDecorator taskDecorator) {
		this.executor = executor;
		this.taskDecorator = taskDecorator;
	}

	@Override
	public @Nullable Object call(LimitedMethod method, MethodInvocation invocation, @Nullable CallContext context)
			throws Throwable {
		LimitedRequests limited = method.requests(invocation, context);
		CompletableFuture<RateLimitAdmission> asked = RateLimitAdmission.requestAsync(limited.requests(), context)
			.toCompletableFuture();
		CompletableFuture<Optional<RateLimitRefusal>> admitted = asked.thenCompose(RateLimitAdmission::whenAdmitted);
		if (admitted.isDone() && !admitted.isCompletedExceptionally()) {
			Optional<RateLimitRefusal> refused = admitted.join();
			if (refused.isPresent()) {
				return refuse(limited, invocation, refused.get());
			}
			asked.join().admit();
			return invocation.proceed();
		}
		MethodInvocation later = ((ProxyMethodInvocation) invocation).invocableClone();
		CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
		result.whenComplete((value, failure) -> asked.thenAccept(RateLimitAdmission::cancel));
		Executor executor = this.executor.get();
		Runnable end = this.taskDecorator.decorate(() -> admitted.whenComplete((refusal, failure) -> {
			if (failure != null) {
				result.completeExceptionally(StageFailure.cause(failure));
			}
			else if (refusal.isPresent()) {
				complete(result, refuse(limited, later, refusal.get()));
			}
			else if (asked.join().admit()) {
				complete(result, proceed(later));
			}
		}));
		admitted.whenComplete((refusal, failure) -> {
			try {
				executor.execute(end);
			}
			catch (RuntimeException ex) {
				result.completeExceptionally((failure != null) ? StageFailure.cause(failure) : ex);
			}
		});
		return result;
	}

	private static @Nullable CompletionStage<?> refuse(LimitedRequests limited, MethodInvocation invocation,
			RateLimitRefusal refusal) {
		try {
			return (CompletionStage<?>) limited.refuse(refusal, invocation);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static @Nullable CompletionStage<?> proceed(MethodInvocation invocation) {
		try {
			return (CompletionStage<?>) invocation.proceed();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static void complete(CompletableFuture<@Nullable Object> result, @Nullable CompletionStage<?> stage) {
		if (stage == null) {
			result.complete(null);
			return;
		}
		stage.whenComplete((value, failure) -> {
			if (failure != null) {
				result.completeExceptionally(StageFailure.cause(failure));
			}
			else {
				result.complete(value);
			}
		});
	}

}
