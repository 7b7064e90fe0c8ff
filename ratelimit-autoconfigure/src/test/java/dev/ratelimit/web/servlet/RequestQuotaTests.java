package dev.ratelimit.web.servlet;

import java.time.Duration;

import dev.ratelimit.core.RateLimit;
import dev.ratelimit.core.RateLimitDecision;
import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.RateLimitHeadersStyle;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RequestQuota}.
 */
class RequestQuotaTests {

	private static final RateLimitHeaders HEADERS = new RateLimitHeaders(RateLimitHeadersStyle.STANDARD);

	private final MockHttpServletRequest request = new MockHttpServletRequest();

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private final RequestQuota quota = RequestQuota.of(this.request, HEADERS);

	@Test
	void isTheSameForAllOfARequest() {
		assertThat(RequestQuota.of(this.request, HEADERS)).isSameAs(this.quota);
		assertThat(RequestQuota.of(new MockHttpServletRequest(), HEADERS)).isNotSameAs(this.quota);
	}

	@Test
	void writesWhatTheThreadOfTheRequestDecides() {
		this.quota.add(accepted(4), this.response);
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"five\";r=4;t=4");
		this.quota.add(accepted(3), this.response);
		assertThat(this.response.getHeaders("RateLimit")).containsExactly("\"five\";r=3;t=3");
	}

	@Test
	void doesNotTouchTheResponseOfAnotherThread() throws InterruptedException {
		elsewhere(() -> this.quota.add(accepted(4), this.response));
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void writesWhatWasDecidedElsewhereWhenTheThreadLetsGo() throws InterruptedException {
		elsewhere(() -> this.quota.add(accepted(4), this.response));
		this.quota.released(this.response);
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"five\";r=4;t=4");
	}

	@Test
	void writesAgainWhatWasDecidedElsewhereAfterItWrote() throws InterruptedException {
		this.quota.add(accepted(4), this.response);
		elsewhere(() -> this.quota.add(accepted(3), this.response));
		this.quota.released(this.response);
		assertThat(this.response.getHeaders("RateLimit")).containsExactly("\"five\";r=3;t=3");
	}

	@Test
	void writesAgainWhatAResetOfTheResponseTookAway() {
		this.quota.add(accepted(4), this.response);
		this.response.reset();
		this.quota.released(this.response);
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"five\";r=4;t=4");
	}

	@Test
	void writesWhatIsDecidedElsewhereOnceTheThreadHasLetGo() throws InterruptedException {
		this.quota.released(this.response);
		elsewhere(() -> this.quota.add(accepted(4), this.response));
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"five\";r=4;t=4");
	}

	@Test
	void belongsToTheThreadOfTheNextDispatch() throws InterruptedException {
		this.quota.released(this.response);
		elsewhere(() -> this.quota.dispatched(this.response));
		this.quota.add(accepted(4), this.response);
		assertThat(this.response.getHeaderNames()).isEmpty();
		this.quota.dispatched(this.response);
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"five\";r=4;t=4");
	}

	@Test
	void leavesACommittedResponseAlone() {
		this.response.setCommitted(true);
		this.quota.add(accepted(4), this.response);
		this.quota.dispatched(this.response);
		this.quota.endWith(Failure.INTERRUPTED.exception, this.response);
		assertThat(this.response.getHeaderNames()).isEmpty();
	}

	@Test
	void takesBackWhatItSaidWhenTheRequestFailsForAnotherReason() {
		this.response.addHeader("Vary", "Origin");
		this.response.addHeader("Vary", "Accept");
		this.quota.add(accepted(4), this.response);
		this.quota.endWith(Failure.UNAVAILABLE.exception, this.response);
		assertThat(this.response.getHeaderNames()).containsExactly("Vary");
		assertThat(this.response.getHeaders("Vary")).containsExactly("Origin", "Accept");
		this.quota.dispatched(this.response);
		assertThat(this.response.getHeaderNames()).containsExactly("Vary");
	}

	@Test
	void aRefusalThatNoLimitReportedIsToldToo() {
		this.quota.endWith(Failure.EXCEEDED.exception, this.response);
		assertThat(this.response.getHeader("RateLimit")).isEqualTo("\"export\";r=0;t=45");
		assertThat(this.response.getHeader("RateLimit-Policy")).isEqualTo("\"export\";q=5;w=300");
	}

	private static void elsewhere(Runnable task) throws InterruptedException {
		Thread thread = new Thread(task);
		thread.start();
		thread.join();
	}

	private static RateLimitDecision accepted(long available) {
		return new RateLimitDecision("five", RateLimit.of(1, Duration.ofSeconds(1), 5), available, true, null);
	}

}
