package dev.ratelimit.sample;

import dev.ratelimit.annotation.RateLimited;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.stereotype.Service;

/**
 * A service that must not be called too often, whoever calls it.
 */
@Service
class SmsGateway {

	private static final Log logger = LogFactory.getLog(SmsGateway.class);

	@RateLimited(name = "sms", rate = 2, capacity = 5)
	public void send(String number, String text) {
		logger.info("To " + number + ": " + text);
	}

}
