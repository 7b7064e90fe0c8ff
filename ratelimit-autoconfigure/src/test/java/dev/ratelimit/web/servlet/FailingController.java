package dev.ratelimit.web.servlet;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Fails each request with what its path names, in every way a controller can.
 */
@RestController
class FailingController {

	@GetMapping("/plain/{failure}")
	String plain(@PathVariable Failure failure) {
		throw failure.exception;
	}

	@GetMapping("/entity/{failure}")
	ResponseEntity<String> entity(@PathVariable Failure failure) {
		throw failure.exception;
	}

	@GetMapping("/callable/{failure}")
	Callable<String> callable(@PathVariable Failure failure) {
		return () -> {
			throw failure.exception;
		};
	}

	@GetMapping("/future/{failure}")
	CompletableFuture<String> future(@PathVariable Failure failure) {
		return CompletableFuture.failedFuture(failure.exception);
	}

	@GetMapping("/dependent-future/{failure}")
	CompletableFuture<ResponseEntity<String>> dependentFuture(@PathVariable Failure failure) {
		return CompletableFuture.supplyAsync(() -> {
			throw failure.exception;
		});
	}

	@GetMapping("/deferred/{failure}")
	DeferredResult<String> deferred(@PathVariable Failure failure) {
		DeferredResult<String> result = new DeferredResult<>();
		result.setErrorResult(failure.exception);
		return result;
	}

	@GetMapping("/wrapped-deferred/{failure}")
	DeferredResult<String> wrappedDeferred(@PathVariable Failure failure) {
		DeferredResult<String> result = new DeferredResult<>();
		result.setErrorResult(new CompletionException(new ExecutionException(failure.exception)));
		return result;
	}

	@GetMapping("/streaming/{failure}")
	StreamingResponseBody streaming(@PathVariable Failure failure) {
		return (output) -> {
			throw failure.exception;
		};
	}

	@GetMapping("/completion-exception/{failure}")
	String completionException(@PathVariable Failure failure) {
		throw new CompletionException(failure.exception);
	}

	@GetMapping("/execution-exception/{failure}")
	String executionException(@PathVariable Failure failure) throws ExecutionException {
		throw new ExecutionException(failure.exception);
	}

	@GetMapping("/undeclared-throwable-exception/{failure}")
	String undeclaredThrowableException(@PathVariable Failure failure) {
		throw new UndeclaredThrowableException(new ExecutionException(failure.exception));
	}

}
