package dev.ratelimit.web.reactive;

import java.util.Map;

import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.web.reactive.FailingController.ForeignException;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ServerWebExchange;

/**
 * Exception handlers as applications have them.
 */
final class Handlers {

	private Handlers() {
	}

	@RestControllerAdvice
	static class Naming {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
		Mono<String> handle(RateLimitExceededException exception) {
			return Mono.just("naming " + exception.getBucketName());
		}

	}

	@Order(5)
	@RestControllerAdvice
	static class OrderedNaming extends Naming {

	}

	@RestControllerAdvice
	static class Demanding {

		@ExceptionHandler(RateLimitExceededException.class)
		ResponseEntity<Map<String, String>> handle(RuntimeException exception, HandlerMethod method,
				ServerWebExchange exchange, @RequestHeader("X-Tenant") String tenant) {
			return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED)
				.body(Map.of("method", method.getMethod().getName(), "path", exchange.getRequest().getPath().value(),
						"tenant", tenant, "exception", exception.getClass().getSimpleName()));
		}

	}

	@RestControllerAdvice(assignableTypes = LimitedController.class)
	static class NamingForOthers extends Naming {

	}

	@RestControllerAdvice(assignableTypes = FailingController.class)
	static class NamingForThese extends Naming {

	}

	@RestControllerAdvice
	static class NamingForXml {

		@ExceptionHandler(exception = RateLimitExceededException.class, produces = MediaType.APPLICATION_XML_VALUE)
		ResponseEntity<String> handle() {
			return ResponseEntity.status(HttpStatus.PAYMENT_REQUIRED).body("<refused/>");
		}

	}

	@RestControllerAdvice
	static class Rethrowing {

		@ExceptionHandler
		String handle(RateLimitExceededException exception) {
			throw exception;
		}

	}

	@RestControllerAdvice
	static class NamingForeign {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(ForeignException exception) {
			return "foreign";
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return "caught";
		}

	}

	@Order(1)
	@RestControllerAdvice
	static class EarlyCatchAll extends CatchAll {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@RestControllerAdvice
	static class FirstCatchAll extends CatchAll {

	}

	@RestController
	static class CatchingController {

		@GetMapping("/catching")
		Mono<String> fail() {
			return Mono.error(Failure.EXCEEDED.exception);
		}

		@ExceptionHandler(RuntimeException.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return "caught in the controller";
		}

	}

	@RestController
	static class NamingController {

		@GetMapping("/naming")
		Mono<String> fail() {
			return Mono.error(Failure.EXCEEDED.exception);
		}

		@ExceptionHandler(RateLimitExceededException.class)
		String handle() {
			return "named in the controller";
		}

	}

}
