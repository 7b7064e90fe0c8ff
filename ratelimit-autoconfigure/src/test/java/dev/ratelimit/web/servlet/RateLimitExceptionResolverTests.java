package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitHeadersStyle;
import dev.ratelimit.web.RateLimitProblemMapper;
import jakarta.servlet.ServletOutputStream;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.DelegatingServletOutputStream;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RateLimitExceptionResolver}.
 */
class RateLimitExceptionResolverTests {

	private static final RateLimitHeaders HEADERS = new RateLimitHeaders(RateLimitHeadersStyle.STANDARD);

	private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/orders");

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	@Test
	void standsBeforeEveryOtherResolver() {
		List<HandlerExceptionResolver> resolvers = new ArrayList<>(List.of(new DefaultHandlerExceptionResolver()));
		new RateLimitWebMvcConfigurer(RateLimitProblemMapper.standard(), HEADERS)
			.extendHandlerExceptionResolvers(resolvers);
		assertThat(resolvers).hasSize(2).first().isInstanceOf(RateLimitExceptionResolver.class);
	}

	@Test
	void answersWhereNoHandlerWasChosen() {
		assertThat(resolve(this.response, Failure.EXCEEDED.exception)).isNotNull();
		assertThat(this.response.getStatus()).isEqualTo(429);
		assertThat(this.response.getContentAsByteArray()).hasSize(this.response.getContentLength());
	}

	@Test
	void answersBesideAResolverThatWasNeverInitialized() {
		assertThat(resolver(new ExceptionHandlerExceptionResolver()).resolveException(this.request, this.response, null,
				Failure.EXCEEDED.exception))
			.isNotNull();
		assertThat(this.response.getStatus()).isEqualTo(429);
	}

	@Test
	void writesNoBodyForAHeadRequest() {
		this.request.setMethod("HEAD");
		resolve(this.response, Failure.EXCEEDED.exception);
		assertThat(this.response.getStatus()).isEqualTo(429);
		assertThat(this.response.getContentAsByteArray()).isEmpty();
	}

	@Test
	void discardsWhatIsInTheBuffer() throws IOException {
		this.response.getOutputStream().write('x');
		resolve(this.response, Failure.EXCEEDED.exception);
		assertThat(this.response.getContentAsString()).startsWith("{");
	}

	@Test
	void leavesACommittedResponseAlone() {
		this.response.setCommitted(true);
		assertThat(resolve(this.response, Failure.EXCEEDED.exception)).isNull();
		assertThat(this.response.getStatus()).isEqualTo(200);
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void leavesOtherExceptionsAlone() {
		assertThat(resolve(this.response, new IllegalStateException())).isNull();
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void isDoneWhereTheClientHasLeft() throws IOException {
		OutputStream closed = OutputStream.nullOutputStream();
		closed.close();
		MockHttpServletResponse broken = new MockHttpServletResponse() {

			@Override
			public ServletOutputStream getOutputStream() {
				return new DelegatingServletOutputStream(closed);
			}

		};
		assertThat(resolve(broken, Failure.EXCEEDED.exception)).isNotNull();
	}

	private ModelAndView resolve(MockHttpServletResponse response, Exception exception) {
		return resolver().resolveException(this.request, response, null, exception);
	}

	private static RateLimitExceptionResolver resolver(HandlerExceptionResolver... others) {
		return new RateLimitExceptionResolver(List.of(others), RateLimitProblemMapper.standard(), HEADERS);
	}

}
