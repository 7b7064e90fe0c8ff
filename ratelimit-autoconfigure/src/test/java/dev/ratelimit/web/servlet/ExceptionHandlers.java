package dev.ratelimit.web.servlet;

import dev.ratelimit.core.RateLimitExceededException;
import dev.ratelimit.core.RateLimitWaitInterruptedException;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Exception handlers as applications write them. One that names the exception answers
 * 409, one that takes any exception answers 500.
 */
final class ExceptionHandlers {

	private static final String NAMING = "naming";

	private static final String CATCH_ALL = "catch-all";

	private ExceptionHandlers() {
	}

	@RestController
	static class NamingController extends FailingController {

		@ExceptionHandler(RateLimitExceededException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(HttpServletRequest request) {
			return NAMING + request.getRequestURI();
		}

	}

	@RestController
	static class NamingAndCatchAllController extends FailingController {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(RateLimitExceededException ex) {
			return NAMING + ex.getBucketName();
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handleAll() {
			return CATCH_ALL;
		}

	}

	@RestController
	static class ExceptionController extends FailingController {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@RestController
	static class RuntimeExceptionController extends FailingController {

		@ExceptionHandler(RuntimeException.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@RestController
	static class ThrowableController extends FailingController {

		@ExceptionHandler(Throwable.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@RestControllerAdvice
	static class NamingAdvice {

		@ExceptionHandler
		ResponseEntity<String> handle(RateLimitExceededException ex) {
			return ResponseEntity.status(HttpStatus.CONFLICT).body(NAMING + ex.getBucketName());
		}

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@RestControllerAdvice
	static class FirstNamingAdvice extends NamingAdvice {

	}

	@Order(0)
	@RestControllerAdvice
	static class OrderedNamingAdvice extends NamingAdvice {

	}

	@ControllerAdvice(basePackageClasses = ExceptionHandlers.class)
	static class NamingAdviceForThePackage {

		@ExceptionHandler({ IllegalStateException.class, RateLimitExceededException.class })
		@ResponseBody
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle(Exception ex) {
			return NAMING + ((RateLimitExceededException) ex).getBucketName();
		}

	}

	@RestControllerAdvice
	static class NamingAndCatchAllAdvice extends NamingAdvice {

		@ExceptionHandler(Throwable.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handleAll() {
			return CATCH_ALL;
		}

	}

	@RestControllerAdvice
	static class HtmlAndTextNamingAdvice {

		@ExceptionHandler(exception = RateLimitExceededException.class, produces = MediaType.TEXT_HTML_VALUE)
		@ResponseStatus(HttpStatus.CONFLICT)
		String html() {
			return "<p>" + NAMING;
		}

		@ExceptionHandler(exception = RateLimitExceededException.class, produces = MediaType.TEXT_PLAIN_VALUE)
		@ResponseStatus(HttpStatus.CONFLICT)
		String text() {
			return NAMING;
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handleAll() {
			return CATCH_ALL;
		}

	}

	@RestControllerAdvice
	static class InterruptionNamingAdvice {

		@ExceptionHandler(RateLimitWaitInterruptedException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		String handle() {
			return NAMING;
		}

	}

	@ControllerAdvice
	static class RedirectingAdvice {

		@ExceptionHandler(RateLimitExceededException.class)
		String handle() {
			return "redirect:/sorry";
		}

	}

	@RestControllerAdvice
	static class RethrowingAdvice {

		@ExceptionHandler
		String handle(RateLimitExceededException ex) {
			throw ex;
		}

	}

	@RestControllerAdvice(assignableTypes = TestServer.class)
	static class NamingAdviceForOthers extends NamingAdvice {

	}

	@RestControllerAdvice
	static class ExceptionAdvice {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@RestControllerAdvice
	static class ExceptionAndOthersAdvice {

		@ExceptionHandler({ IllegalStateException.class, Exception.class })
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@RestControllerAdvice
	static class RuntimeExceptionAdvice {

		@ExceptionHandler(RuntimeException.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@RestControllerAdvice
	static class ThrowableAdvice {

		@ExceptionHandler(Throwable.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String handle() {
			return CATCH_ALL;
		}

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@RestControllerAdvice
	static class FirstExceptionAdvice extends ExceptionAdvice {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@RestControllerAdvice
	static class FirstRuntimeExceptionAdvice extends RuntimeExceptionAdvice {

	}

	@Order(Ordered.HIGHEST_PRECEDENCE)
	@RestControllerAdvice
	static class FirstThrowableAdvice extends ThrowableAdvice {

	}

}
