package dev.ratelimit.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.core.StageFailure;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * {@link ScriptRunner} by Lettuce's own asynchronous commands, which can be withdrawn:
 * what a server that is away has not been sent is not sent when it comes back. Connecting
 * may block, so that it happens on another thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the call carries the failure
final class LettuceScriptRunner implements ScriptRunner {

	private final LettuceConnectionFactory connectionFactory;

	private final TokenBucketScript script;

	private final RedisThreads threads;

	private final AtomicReference<@Nullable CompletableFuture<RedisConnection>> connection = new AtomicReference<>();

	LettuceScriptRunner(LettuceConnectionFactory connectionFactory, TokenBucketScript script, RedisThreads threads) {
		this.connectionFactory = connectionFactory;
		this.script = script;
		this.threads = threads;
	}

	@Override
	public CompletableFuture<List<Object>> run(byte[] key, byte[][] arguments) {
		LettuceScriptCall call = new LettuceScriptCall();
		connection().whenComplete((connection, failure) -> {
			if (failure != null) {
				call.completeExceptionally(StageFailure.cause(failure));
			}
			else if (!call.isDone()) {
				evaluate(call, connection, new byte[][] { key }, arguments);
			}
		});
		return call;
	}

	@Override
	public void connect() {
		connection();
	}

	@Override
	public void reset() {
		CompletableFuture<RedisConnection> failed = this.connection.get();
		if (failed != null && failed.isDone() && this.connection.compareAndSet(failed, null)
				&& !failed.isCompletedExceptionally()) {
			this.threads.submit(() -> {
				failed.join().close();
				return null;
			});
		}
	}

	private CompletableFuture<RedisConnection> connection() {
		CompletableFuture<RedisConnection> current = this.connection.get();
		if (current != null) {
			return current;
		}
		CompletableFuture<RedisConnection> next = new CompletableFuture<>();
		CompletableFuture<RedisConnection> witness = this.connection.compareAndExchange(null, next);
		if (witness != null) {
			return witness;
		}
		this.threads.submit(this.connectionFactory::getConnection).whenComplete((connection, failure) -> {
			if (failure != null) {
				this.connection.compareAndSet(next, null);
				next.completeExceptionally(failure);
			}
			else {
				next.complete(connection);
			}
		});
		return next;
	}

	private void evaluate(LettuceScriptCall call, RedisConnection connection, byte[][] keys, byte[][] arguments) {
		try {
			RedisScriptingAsyncCommands<byte[], byte[]> commands = commands(connection);
			call.follow(commands.evalsha(this.script.digest(), ScriptOutputType.MULTI, keys, arguments),
					() -> commands.eval(this.script.source(), ScriptOutputType.MULTI, keys, arguments));
		}
		catch (RuntimeException ex) {
			call.completeExceptionally(ex);
		}
	}

	@SuppressWarnings("unchecked") // Spring Data's own connections are of bytes
	private static RedisScriptingAsyncCommands<byte[], byte[]> commands(RedisConnection connection) {
		return (RedisScriptingAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
	}

}
