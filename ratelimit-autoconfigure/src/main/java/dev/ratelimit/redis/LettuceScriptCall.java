package dev.ratelimit.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.lettuce.core.RedisFuture;
import org.jspecify.annotations.Nullable;

/**
 * The result of a script, and the command that is under way for it. Completing the one
 * from outside withdraws the other.
 */
@SuppressWarnings("FutureReturnValueIgnored") // followers only
final class LettuceScriptCall extends CompletableFuture<List<Object>> {

	private volatile @Nullable RedisFuture<List<Object>> command;

	LettuceScriptCall() {
		whenComplete((result, failure) -> withdraw());
	}

	/**
	 * Takes the result of a command for its own, or that of another if the server does
	 * not know the script.
	 */
	void follow(RedisFuture<List<Object>> command, @Nullable Supplier<RedisFuture<List<Object>>> fallback) {
		this.command = command;
		command.whenComplete((result, failure) -> {
			if (failure == null) {
				complete(result);
			}
			else if (fallback != null && !isDone() && ErrorReply.isScriptMissing(failure)) {
				follow(fallback);
			}
			else {
				completeExceptionally(failure);
			}
		});
		if (isDone()) {
			withdraw();
		}
	}

	private void follow(Supplier<RedisFuture<List<Object>>> fallback) {
		try {
			follow(fallback.get(), null);
		}
		catch (RuntimeException ex) {
			completeExceptionally(ex);
		}
	}

	private void withdraw() {
		RedisFuture<List<Object>> command = this.command;
		if (command != null && !command.isDone()) {
			command.cancel(true);
		}
	}

}
