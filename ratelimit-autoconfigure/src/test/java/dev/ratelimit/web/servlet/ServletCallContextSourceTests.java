package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.util.List;

import dev.ratelimit.core.CallContext;
import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.web.ClientIpResolver;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitHeadersStyle;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link ServletCallContextSource}.
 */
class ServletCallContextSourceTests {

	private final ServletCallContextSource source = new ServletCallContextSource(
			new ClientIpResolver(List.of("10.0.0.0/8"), 64), new RateLimitHeaders(RateLimitHeadersStyle.STANDARD));

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final EndingRequest request = new EndingRequest();

	@AfterEach
	void unbind() {
		RequestContextHolder.resetRequestAttributes();
	}

	@Test
	void findsNothingOutsideARequest() {
		assertThat(this.source.current()).isNull();
	}

	@Test
	void findsNothingWhereTheResponseIsNotKnown() {
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(this.request));
		assertThat(this.source.current()).isNull();
	}

	@Test
	void findsNothingOfARequestThatHasEnded() {
		bind();
		this.request.ended = true;
		assertThat(this.source.current()).isNull();
	}

	@Test
	void knowsNobodyOnceTheRequestHasEnded() {
		bind();
		CallContext context = this.source.current();
		this.request.ended = true;
		assertThat(context.clientIp()).isNull();
		assertThat(context.principal()).isNull();
		assertThat(context.header("X-Api-Key")).isNull();
	}

	@Test
	void neverFailsForAResponseThatHasEnded() {
		RequestContextHolder
			.setRequestAttributes(new ServletRequestAttributes(this.request, new MockHttpServletResponse() {

				@Override
				public boolean isCommitted() {
					throw new IllegalStateException("ended");
				}

			}));
		RateLimitDecision decision = new RateLimitDecision("a", RateLimit.perSecond(1), 0, true, null);
		assertThatNoException().isThrownBy(() -> this.source.current().decided(decision));
	}

	@Test
	void asksTheRequestThatTheContainerReceivedForTheAddress() {
		this.request.setRemoteAddr("10.0.0.1");
		this.request.addHeader("X-Forwarded-For", "6.6.6.6");
		this.request.addHeader("X-Forwarded-For", "203.0.113.9");
		RequestContextHolder
			.setRequestAttributes(new ServletRequestAttributes(new HttpServletRequestWrapper(this.request) {

				@Override
				public String getRemoteAddr() {
					return "6.6.6.6";
				}

			}, this.response));
		assertThat(this.source.current().clientIp()).isEqualTo("203.0.113.9");
	}

	@Test
	void asksAFilteredRequestForTheCallerAndHeaders() {
		RequestContextHolder
			.setRequestAttributes(new ServletRequestAttributes(new HttpServletRequestWrapper(this.request) {

				@Override
				public Principal getUserPrincipal() {
					return () -> "alice";
				}

				@Override
				public String getHeader(String name) {
					return "filtered";
				}

			}, this.response));
		assertThat(this.source.current().principal()).isEqualTo("alice");
		assertThat(this.source.current().header("X-Api-Key")).isEqualTo("filtered");
	}

	private void bind() {
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(this.request, this.response));
	}

	/**
	 * A request that refuses to answer once it has ended, as Tomcat's does.
	 */
	private static final class EndingRequest extends MockHttpServletRequest {

		private boolean ended;

		@Override
		public Object getAttribute(String name) {
			check();
			return super.getAttribute(name);
		}

		@Override
		public String getRemoteAddr() {
			check();
			return super.getRemoteAddr();
		}

		@Override
		public Principal getUserPrincipal() {
			check();
			return super.getUserPrincipal();
		}

		@Override
		public String getHeader(String name) {
			check();
			return super.getHeader(name);
		}

		private void check() {
			if (this.ended) {
				throw new IllegalStateException("ended");
			}
		}

	}

}
